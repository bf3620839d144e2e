"""Files, answers and landed things as no friend would write them: mutated at random, and what may come of it."""
