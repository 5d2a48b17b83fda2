"""Arrays larger than memory: blocks of rows, columns on disk, a cache, linear algebra, compiled loops."""
