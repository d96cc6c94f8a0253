// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite(.enabled(if: !NetworkNamespace.isOwn)) struct OwnNetworkTests {
  @Test func `the socket tests pass in a separate network namespace`() throws {
    let run = try NetworkNamespace.run("NetworkSocketsTests")
    let count = (run.text + run.errors).firstMatch(of: /Test run with (\d+) tests .*passed/).flatMap
    { Int($0.1) }
    #expect(run.status == 0 && count ?? 0 >= 22, "\(run.text)\(run.errors)")
  }
}
