# SPDX-License-Identifier: MIT
"""Random scenes and an independent judge: the parts of tools/stress."""
