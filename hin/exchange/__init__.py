"""Export and import graphs in the formats of other tools."""
