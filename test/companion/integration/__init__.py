"""Tests of the integration, with a panel that is made up."""
