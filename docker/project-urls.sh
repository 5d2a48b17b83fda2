#!/bin/sh
# Adds the addresses of the repository and of its documentation to pyproject.toml, in the folder it is started from. Only
# the workflow that publishes a release knows them: a fork's wheel names the fork.
#   sh docker/project-urls.sh https://host/owner/name v1.2.3
set -eu
repository=$1 tag=$2
{
    sed '/^\[project\.urls\]$/q' pyproject.toml
    printf 'Repository = "%s"\nDocumentation = "%s/tree/%s/docs"\n' "$repository" "$repository" "$tag"
    printf 'Changelog = "%s/blob/%s/CHANGELOG.md"\nIssues = "%s/issues"\n' "$repository" "$tag" "$repository"
    sed '1,/^\[project\.urls\]$/d' pyproject.toml
} > pyproject.toml.new
mv pyproject.toml.new pyproject.toml
