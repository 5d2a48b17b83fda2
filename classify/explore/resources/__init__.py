"""What the page (and any program that knows the token) can ask for under `/api/v1`: one file a resource."""
