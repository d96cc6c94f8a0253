// SPDX-License-Identifier: Apache-2.0
import ALSAMIDI
import Glibc

/// The helper programs of the tests: `TestProbe NAME …`; the name selects one.
///
/// They are one program because each program costs a target, and time to link.
@main
struct TestProbe {
  static func main() async throws {
    // The guardian of the probe `port` is this program, started again.
    Guardian.serveIfAssigned()
    let words = Array(CommandLine.arguments.dropFirst(2))
    switch CommandLine.arguments.dropFirst().first {
    case "jack": try JACKProbe.run(words)
    case "latency": try await LatencyProbe.run(words)
    case "link": try LinkPeer.run(words)
    case "port": try await PortProbe.run(words)
    case "queue": try await QueueProbe.run(words)
    case "rtp": try RTPParty.run(words)
    case "vectors": VectorAnswers.run()
    case "writer": try SharedWriter.run(words)
    default:
      print("usage: TestProbe jack|latency|link|port|queue|rtp|vectors|writer …")
      exit(64)
    }
  }
}
