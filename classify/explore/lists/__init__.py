"""Lists of documents: queues, searches, selections."""
