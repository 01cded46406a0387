"""Room for web search and safe fetching; nothing here yet."""
