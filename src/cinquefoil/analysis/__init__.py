"""What can be known of a program without running it: graphs, loops, path covers, dependence."""
