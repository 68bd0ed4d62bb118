"""Review of a game: the defects an experienced developer would list, each with evidence.

instrumented_games  alternatives of every choice, leaders, repeated positions
stakes              value difference between best and worst option of a decision
skill               effect of thinking, and the influence of luck
evidence            statistics of many games, by kind of player
claims              hypothesis tests with correction for multiple comparisons
findings            all checks, ordered by weight
witness             games up to the moment that shows a finding
comparing           improvements and regressions between two versions
"""
