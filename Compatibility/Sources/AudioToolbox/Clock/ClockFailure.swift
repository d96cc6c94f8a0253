// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The code that a call returns in the place of a time.
struct ClockFailure: Error {
  let status: OSStatus

  init(_ status: OSStatus) {
    self.status = status
  }
}
