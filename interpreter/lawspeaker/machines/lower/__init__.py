"""Between the typed program and the machines: what is true of it on either of them."""
