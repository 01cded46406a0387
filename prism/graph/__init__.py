"""Room for entities, communities and global answers; nothing here yet."""
