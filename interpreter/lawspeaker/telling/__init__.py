"""What happens, in words for those at the table, and what the table shows them."""
