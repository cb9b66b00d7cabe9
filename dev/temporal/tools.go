//go:build tools

// Package temporal pins the Temporal CLI that the embedded stack runs, and the server of the fleet.
package temporal

import (
	_ "github.com/temporalio/cli/cmd/temporal"
	_ "go.temporal.io/server/cmd/server"
	_ "go.temporal.io/server/cmd/tools/sql"
)
