"""What a judge takes that a setting can change. It stands alone: the settings are read by every
command."""

SURE_FROM = 0.6  # a label of an entailment model below this probability is "neither"
