// SPDX-License-Identifier: Apache-2.0
import SoundStreaming

/// Checks if libcurl is installed.
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
