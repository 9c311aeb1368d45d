"""How the numbers and models that the product ships were made. Nothing here runs in the product."""
