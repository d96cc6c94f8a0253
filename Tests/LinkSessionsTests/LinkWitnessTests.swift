// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Our peer and aalink, which contains the reference, on a separate network.
@Suite struct LinkWitnessTests {
  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
  private static let python =
    ProcessInfo.processInfo.environment["DOWNBEAT_AALINK"]
    ?? ToolRun.packageFolder.appendingPathComponent(".build/witnesses/bin/python").path
  private static let script = ToolRun.packageFolder
    .appendingPathComponent("Tests/LinkSessionsTests/aalink-peer.py").path

  private static func hasAALink() -> Bool {
    guard FileManager.default.isExecutableFile(atPath: python) else { return false }
    do {
      return try ToolRun(["-c", "import aalink"], command: python).status == 0
    } catch {
      return false
    }
  }

  @Test(
    .enabled(if: hasAALink(), "no aalink (set DOWNBEAT_AALINK to a Python that has it)"))
  func `it joins, keeps the beat, and receives tempo, start and stop, in either order`() throws {
    let sizes = Self.isLong ? ["20", "60", "50", "1"] : ["4", "3", "6", "5"]
    let words =
      NetworkNamespace.words + [Self.python, Self.script, ToolRun.program("TestProbe")] + sizes
    let run = try ToolRun(Array(words.dropFirst()), command: words[0], limit: 400)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(run.text.contains("start and stop cross over"))
  }

  @Test(
    .enabled(if: hasAALink(), "no aalink (set DOWNBEAT_AALINK to a Python that has it)"),
    .enabled(if: LinkWireFolder.isThere, LinkWireFolder.reason))
  func `the scenarios of the conformance harness pass`() throws {
    let script = Self.script.replacingOccurrences(of: "aalink-peer", with: "link-conformance")
    let harness = LinkWireFolder.url.appendingPathComponent("conformance").path
    let words =
      NetworkNamespace.words + [Self.python, script, harness, ToolRun.program("TestProbe")]
    let run = try ToolRun(Array(words.dropFirst()), command: words[0], limit: 120)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(run.text.components(separatedBy: "| PASS |").count == 10, "\(run.text)")
  }

  @Test func `peers on two machines meet over a cable`() throws {
    let words = """
      unshare --net sleep 60 & other=$!
      sleep 0.5
      ip link add here type veth peer name there netns $other
      ip addr add 10.9.0.1/24 dev here && ip link set here up
      nsenter -t $other -n sh -c 'ip addr add 10.9.0.2/24 dev there && ip link set there up'
      (sleep 9; echo at 0; sleep 5) | "$PEER" link 130 & first=$!
      # Its session is the older one, however late it starts.
      until grep -q ':5148 ' /proc/net/udp; do sleep 0.1; done; sleep 2
      (sleep 6; echo at 0; sleep 3) | nsenter -t $other -n "$PEER" link 100
      wait $first; kill $other
      """
    let all = NetworkNamespace.words + ["/bin/sh", "-c", words]
    let run = try ToolRun(
      Array(all.dropFirst()), environment: ["PEER": ToolRun.program("TestProbe")], command: all[0])
    let lines = run.text.split(separator: "\n")
    #expect(
      lines.count == 2 && lines.allSatisfy { $0.hasPrefix("1 130.0") }, "\(run.text)\(run.errors)")
  }
}
