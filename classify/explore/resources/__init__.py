"""The API under `/api/v1`, for the page and any program that knows the token: one file per resource."""
