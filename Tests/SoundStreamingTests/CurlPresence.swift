// SPDX-License-Identifier: Apache-2.0
import SoundStreaming

/// Whether libcurl is on this machine.
enum CurlPresence {
  static let isInstalled = isThere()

  private static func isThere() -> Bool {
    do throws(HTTPError) {
      _ = try HTTPSource("http://127.0.0.1:9/")
      return true
    } catch {
      return error != .libraryMissing
    }
  }
}
