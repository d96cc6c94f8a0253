// SPDX-License-Identifier: Apache-2.0
import RTPSessions
import Testing

@Suite struct ServiceDirectoryTests {
  /// Avahi forgets a wake-up if it prepares its wait afterwards: each of these ends used to wait
  /// for 3 s in one of three cases, and for ever if the daemon runs.
  @Test func `a directory ends at once, whatever its thread does`() throws {
    let start = ContinuousClock.now
    for _ in 0..<100 {
      let directory = try ServiceDirectory()
      directory.announce(name: "downbeat test", port: 5004)
      directory.end()
    }
    #expect(ContinuousClock.now - start < .seconds(60))
  }
}
