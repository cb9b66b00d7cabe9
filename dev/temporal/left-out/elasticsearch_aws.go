package client

import (
	"errors"
	"net/http"
)

// NewAwsHttpClient stands for requests to Elasticsearch that are signed for AWS: it fails where they are asked for.
func NewAwsHttpClient(config ESAWSRequestSigningConfig) (*http.Client, error) {
	if !config.Enabled {
		return nil, nil
	}
	return nil, errors.New("requests that are signed for AWS are not part of this build")
}
