//go:build tools

// Package temporal pins the Temporal CLI that the embedded stack runs.
package temporal

import _ "github.com/temporalio/cli/cmd/temporal"
