# SPDX-License-Identifier: MIT
"""The version of the package, that of the library it was made for."""
__version__ = "0.1.0"
