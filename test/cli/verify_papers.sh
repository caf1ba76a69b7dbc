#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every scene of the papers, of verify and of the gallery runs and keeps its gates.
exec "$CAROM" verify --all
