"""`hin explore`: the workbench in the browser over one graph. Server here and in `resources/`, the page in `page/`."""
