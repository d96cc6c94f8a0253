// SPDX-License-Identifier: Apache-2.0

/// The version of Downbeat.
package enum Version {
  package static let text = "0.1.0"
}
