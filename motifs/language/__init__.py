"""The template language: parser, template, canonical form, and translation to Cypher."""
