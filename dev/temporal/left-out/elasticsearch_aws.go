package client

import (
	"errors"
	"net/http"
)

// NewAwsHttpClient replaces the client that signs Elasticsearch requests for AWS. It fails if signing is enabled.
func NewAwsHttpClient(config ESAWSRequestSigningConfig) (*http.Client, error) {
	if !config.Enabled {
		return nil, nil
	}
	return nil, errors.New("AWS request signing is not part of this build")
}
