// Package s3store replaces the archiver for S3, which a development server does not need.
package s3store

import (
	"errors"

	"go.temporal.io/server/common/archiver"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/persistence"
)

// URIScheme is the scheme of archive URIs.
const URIScheme = "s3"

var errLeftOut = errors.New("the s3:// archiver is not part of this build")

// NewHistoryArchiver always fails.
func NewHistoryArchiver(
	persistence.ExecutionManager, log.Logger, metrics.Handler, *config.S3Archiver,
) (archiver.HistoryArchiver, error) {
	return nil, errLeftOut
}

// NewVisibilityArchiver always fails.
func NewVisibilityArchiver(log.Logger, metrics.Handler, *config.S3Archiver) (archiver.VisibilityArchiver, error) {
	return nil, errLeftOut
}
