// Package gcloud replaces the archiver for Google Cloud Storage, which a development server does not need.
package gcloud

import (
	"errors"

	"go.temporal.io/server/common/archiver"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/persistence"
)

// URIScheme is the scheme of archive URIs.
const URIScheme = "gs"

var errLeftOut = errors.New("the gs:// archiver is not part of this build")

// NewHistoryArchiver always fails.
func NewHistoryArchiver(
	persistence.ExecutionManager, log.Logger, metrics.Handler, *config.GstorageArchiver,
) (archiver.HistoryArchiver, error) {
	return nil, errLeftOut
}

// NewVisibilityArchiver always fails.
func NewVisibilityArchiver(log.Logger, metrics.Handler, *config.GstorageArchiver) (archiver.VisibilityArchiver, error) {
	return nil, errLeftOut
}
