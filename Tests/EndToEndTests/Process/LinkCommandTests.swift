// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The command in Link sessions, on a separate network.
@Suite struct LinkCommandTests {
  /// Runs a shell script in a separate network; `$DB` is the command.
  private func run(_ words: String) throws -> ToolRun {
    let all = NetworkNamespace.words + ["/bin/sh", "-c", words]
    return try ToolRun(
      Array(all.dropFirst()), environment: ["DB": ToolRun.command], command: all[0], limit: 60)
  }

  private func lines(_ run: ToolRun, _ type: String) throws -> [[String: Any]] {
    try run.text.split(separator: "\n").compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return (object as? [String: Any]).flatMap { $0["type"] as? String == type ? $0 : nil }
    }
  }

  /// A beat at 120, one at 120 without a note, and four at 150.
  private static let song: [UInt8] = {
    var track: [UInt8] = [0, 0xFF, 0x51, 3, 0x07, 0xA1, 0x20, 0, 0x90, 60, 80, 0x83, 0x60, 0x80]
    track += [60, 0, 0x83, 0x60, 0xFF, 0x51, 3, 0x06, 0x1A, 0x80, 0, 0x90, 60, 80]
    track += [0x8F, 0, 0x80, 60, 0, 0, 0xFF, 0x2F, 0]
    let head: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
    return head + [0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, UInt8(track.count)] + track
  }()

  @Test func `a session is watched, alone`() throws {
    let run = try run("\"$DB\" clock watch link --for 2s --json")
    let documents = try lines(run, "clock")
    #expect(run.status == 0 && !documents.isEmpty, "\(run.errors)")
    #expect(documents.allSatisfy { $0["peers"] as? Int == 0 && $0["founder"] as? Bool == true })
    #expect(documents.allSatisfy { $0["tempo"] as? Double == 120 })
    #expect(documents.allSatisfy { $0["kind"] as? String == "link" })
  }

  @Test func `an interface with a public address is left alone`() throws {
    let run = try run(
      """
      ip link add v0 type veth peer name v1
      for way in v0 v1; do ip link set $way addrgenmode none; ip link set $way up; done
      ip address add 203.0.113.5/24 dev v0
      ip address add 10.1.2.3/24 dev v1
      "$DB" clock watch link --for 2s --json
      """)
    // The loopback interface and v1.
    let interfaces = try lines(run, "clock").compactMap { $0["interfaces"] as? Int }
    #expect(interfaces.last == 2, "\(run.text)\(run.errors)")
  }

  @Test func `a song that controls the session sends its tempos`() throws {
    let scratch = try ScratchFolder()
    let song = scratch.path("song.mid")
    try Data(Self.song).write(to: URL(fileURLWithPath: song))
    let run = try run(
      """
      "$DB" clock watch link --for 50s --json & watch=$!; sleep 1
      "$DB" play '\(song)' --audio null --link lead -q
      sleep 2; kill $watch; wait
      """)
    let documents = try lines(run, "clock")
    let tempi = documents.compactMap { $0["tempo"] as? Double }
    #expect(tempi.contains(120) && tempi.contains(150), "\(tempi) \(run.errors)")
    // The song announced that it left the session.
    #expect(documents.contains { $0["peers"] as? Int == 1 })
    #expect(documents.last?["peers"] as? Int == 0, "\(run.text)")
  }

  /// Sixteen beats at 120, which take 8 s.
  private static let steadySong: [UInt8] = {
    var track: [UInt8] = [0, 0xFF, 0x51, 3, 0x07, 0xA1, 0x20]
    for _ in 0..<16 { track += [0, 0x90, 60, 80, 0x83, 0x60, 0x80, 60, 0] }
    track += [0, 0xFF, 0x2F, 0]
    let head: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
    return head + [0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, UInt8(track.count)] + track
  }()

  @Test func `a song that controls the session continues while peers are replaced`() throws {
    let scratch = try ScratchFolder()
    let song = scratch.path("song.mid")
    try Data(Self.steadySong).write(to: URL(fileURLWithPath: song))
    let told = scratch.path("told")
    let run = try run(
      """
      "$DB" clock watch link --for 50s > /dev/null & first=$!; sleep 1
      begin=$(date +%s%3N)
      "$DB" play '\(song)' --audio null --link lead 2> '\(told)' & leader=$!
      for turn in $(seq 100); do grep -q started '\(told)' && break; sleep 0.1; done
      kill $first; wait $first; sleep 0.05
      "$DB" clock watch link --for 50s > /dev/null & second=$!
      wait $leader; echo "status $?"; echo "lasted $(($(date +%s%3N) - begin))"
      kill $second; cat '\(told)'
      """)
    #expect(run.text.contains("status 0"), "\(run.text)\(run.errors)")
    #expect(run.text.contains("controlling the Link session"), "\(run.text)")
    #expect(run.text.contains("played to the end"), "\(run.text)")
    let lasted = run.text.split(separator: "\n").first { $0.hasPrefix("lasted") }
    // It may move by half a bar, which is a second, to the bars of a session that takes over.
    #expect(lasted.flatMap { Int($0.dropFirst(7)) } ?? 0 >= 7_000, "\(run.text)")
  }

  @Test(.enabled(if: PythonWitness.has("aalink"), "no aalink (make setup-test fetches it)"))
  func `a song that controls the session starts and stops the others`() throws {
    let scratch = try ScratchFolder()
    let song = scratch.path("song.mid")
    try Data(Self.song).write(to: URL(fileURLWithPath: song))
    let script = ToolRun.packageFolder
      .appendingPathComponent("Tests/EndToEndTests/Process/aalink-lead.py").path
    let words = NetworkNamespace.words + [PythonWitness.path, script, ToolRun.command, song]
    let run = try ToolRun(Array(words.dropFirst()), command: words[0], limit: 120)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }

  @Test func `one that waits begins when another starts the session, on the same bar`() throws {
    let scratch = try ScratchFolder()
    let song = scratch.path("song.mid")
    try Data(Self.song).write(to: URL(fileURLWithPath: song))
    let run = try run(
      """
      "$DB" play '\(song)' --audio null --link wait 2> '\(scratch.path("told"))' & other=$!
      sleep 3; grep -c started '\(scratch.path("told"))'
      "$DB" play '\(song)' --audio null --link lead -q; sleep 1
      kill -INT $other; wait $other; cat '\(scratch.path("told"))'
      """)
    #expect(run.text.hasPrefix("0\n"), "\(run.text)")
    #expect(run.text.contains("started at beat 0.000"), "\(run.text)\(run.errors)")
  }

  @Test func `an interface that is named is used, whatever its address, and no other`() throws {
    let run = try run(
      """
      ip link add v0 type veth peer name v1
      for way in v0 v1; do ip link set $way addrgenmode none; ip link set $way up; done
      ip address add 203.0.113.5/24 dev v0
      ip address add 10.1.2.3/24 dev v1
      "$DB" clock watch link --link-interface v0 --for 2s --json
      "$DB" clock follow --sync link --link-interface v9 --for 1s; echo "status $?"
      """)
    // The loopback interface and v0.
    let interfaces = try run.text.split(separator: "\n").filter { $0.hasPrefix("{") }.compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }.compactMap { $0["interfaces"] as? Int }
    #expect(interfaces.last == 2, "\(run.text)\(run.errors)")
    #expect(run.text.contains("status 69"))
    #expect(run.errors.contains("--link-interface v9: no such network interface"))
  }

  @Test func `a clock follows what another process has begun`() throws {
    let run = try run(
      """
      "$DB" clock watch link --for 8s > /dev/null & sleep 1
      "$DB" clock follow --sync link:3 --for 6s --every 200ms --json; wait
      """)
    #expect(run.status == 0 && run.text.contains("\"v\":1"), "\(run.text)\(run.errors)")
  }

  @Test func `a bar without a length is reported`() throws {
    for bar in ["none", "", "0"] {
      let run = try CommandRun(["clock", "follow", "--sync", "link:\(bar)", "--for", "1s"])
      #expect(run.status == 64)
      let value = bar.isEmpty ? "'link:'" : "link:\(bar)"
      #expect(run.errors.contains("--sync \(value): a bar must have 0.25…1024 beats"))
    }
    for kind in ["midi", "mtc", "clock"] {
      let run = try CommandRun(["clock", "follow", "--sync", "\(kind):", "--for", "1s"])
      #expect(run.status == 64 && run.errors.contains("'\(kind):'"), "\(run.errors)")
    }
    let rendered = try CommandRun(["render", "x.mid", "-o", "x.wav", "--link", "lead"])
    #expect(rendered.status == 64)
    #expect(rendered.errors.contains("--link: rendering runs offline"))
    let both = try CommandRun(["play", "x.mid", "--sync", "midi:1", "--link", "follow"])
    #expect(both.status == 64 && both.errors.contains("--link and --sync name different clocks"))
  }
}
