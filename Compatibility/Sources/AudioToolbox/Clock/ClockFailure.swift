// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The error code that a function returns if it cannot determine a time.
struct ClockFailure: Error {
  let status: OSStatus

  init(_ status: OSStatus) {
    self.status = status
  }
}
