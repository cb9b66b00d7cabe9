// Package gcloud stands for the archives in Google's cloud, which a development server has no use for.
package gcloud

import (
	"errors"

	"go.temporal.io/server/common/archiver"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/persistence"
)

// URIScheme is that of their addresses.
const URIScheme = "gs"

var errLeftOut = errors.New("archives in gs:// are not part of this build")

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
