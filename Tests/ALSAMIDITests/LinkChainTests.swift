// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A song controls a Link session on one machine; a clock on a second follows it and controls a
/// port, over a cable with jitter, with separate crystals, under a real kernel.
///
/// A session uses the crystal of its founder: a clock on the machine of the song.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct LinkChainTests {
  /// The duration of playback, in seconds.
  private static let seconds =
    ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == nil ? 30 : 300
  private static let quarters = 2 * seconds
  /// The millionths by which the clock of the controlling machine is fast.
  private static let skew = 50.0
  /// The tempi of the song in microseconds per quarter note, each with its number of quarter notes.
  private static let tempi = [500_000, 495_000, 504_000, 499_000]
  private static let spacing = 24

  /// A note on every quarter, its keys in turn.
  private static let song: Data = {
    var events: [(delta: Int, bytes: [UInt8])] = []
    for quarter in 0..<quarters {
      if quarter % spacing == 0 {
        let tempo = tempi[quarter / spacing % tempi.count]
        let bytes = [16, 8, 0].map { UInt8(tempo >> $0 & 0xFF) }
        events.append((0, [0xFF, 0x51, 3] + bytes))
      }
      events += [(0, [0x90, key(quarter), 100]), (480, [0x80, key(quarter), 64])]
    }
    return Data(SongBytes.file(events))
  }()

  private static func key(_ quarter: Int) -> UInt8 { UInt8(WireEvent.firstKey + quarter % 64) }

  /// The time of a quarter note by the song's map, in nanoseconds.
  private static func due(_ quarter: Int) -> Double {
    (0..<quarter).reduce(0) { $0 + Double(tempi[$1 / spacing % tempi.count]) * 1e3 }
  }

  /// A second machine and its network: `there` runs a command on it, over a cable with this
  /// behaviour.
  private static func network(_ fate: String) -> String {
    """
    export XDG_RUNTIME_DIR=/tmp/run; mkdir -m 700 $XDG_RUNTIME_DIR
    cd "$VM_OUT"; set -m
    unshare --net sleep 100000 & other=$!
    there() { nsenter -t $other -n "$@"; }
    await eval "[ ! /proc/$other/ns/net -ef /proc/self/ns/net ]"
    ip link add here type veth peer name there netns $other
    ip address add 10.9.0.1/24 dev here; ip link set here up
    there ip address add 10.9.0.2/24 dev there; there ip link set there up; there ip link set lo up
    tc qdisc add dev here root netem \(fate)
    there tc qdisc add dev there root netem \(fate)
    tc qdisc show dev here > netem.txt

    """
  }

  private static let tools = [
    "/usr/sbin/ip", "/usr/sbin/tc", "/usr/bin/unshare", "/usr/bin/nsenter",
  ]

  private static let script = """
    witness() { # NAME
      stdbuf -oL $CAPTURE 100000 30 clocks > $1.txt 2> $1.origin & witnesses="$witnesses $!"
      await grep -q origin $1.origin
    }
    witness leader; witness follower
    set -- $(aconnect -l | sed -n "s/^client \\([0-9]*\\): 'capture'.*/\\1/p")
    fast="env LD_PRELOAD=$INPUTS/skew.so SKEW_PPM=\(skew)"
    $fast $DOWNBEAT clock serve keeper --sync link > keeper.txt 2>&1 & keeper=$!
    sleep 2
    there $DOWNBEAT play "$INPUTS/song.mid" -p $2:0 --clock-out $2:0 --link wait > follow.txt 2>&1 &
    follow=$!
    await grep -q waiting follow.txt
    sleep 2
    $fast $DOWNBEAT play "$INPUTS/song.mid" -p $1:0 --link lead > lead.txt 2>&1
    echo lead $? >> status.txt
    # It receives the stop before its own end, or ends first.
    await grep -qE "the master stopped|played to the end" follow.txt
    kill -INT -- -$follow; wait $follow; echo follow $? >> status.txt
    kill -INT $keeper; wait $keeper; echo keeper $? >> status.txt
    kill $witnesses $other
    true
    """

  /// The library that gives a program a faster clock.
  private static func library() throws -> Data {
    let scratch = try ScratchFolder()
    let path = scratch.path("skew.so")
    let source = ToolRun.packageFolder.appendingPathComponent("Tests/alsa-vm/skew/skew.c").path
    let run = try ToolRun(
      ["-c", #"exec clang -O2 -shared -fPIC "$@""#, "clang", source, "-o", path],
      command: "/bin/sh")
    try #require(run.status == 0, "\(run.errors)")
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func events(_ name: String, of machine: ALSAMachine) throws -> [WireEvent] {
    func text(_ name: String) throws -> String {
      String(decoding: try #require(machine.files[name], "\(machine.errors)"), as: UTF8.self)
    }
    let origin = try text("\(name).origin").firstMatch(of: /origin (\d+)/)?.1
    return WireEvent.all(
      in: try text("\(name).txt"), origin: try #require(origin.flatMap { Int($0) }))
  }

  @Test func `the follower matches the map of the controlling song within a millisecond`() throws {
    let machine = try ALSAMachine(
      running: "export CAPTURE=\(ALSAMachine.capture)\n" + Self.network("delay 2500us 2500us")
        + Self.script,
      timeout: 300 + 4 * Self.seconds,
      inputs: ["song.mid": Self.song, "skew.so": try Self.library()], brought: Self.tools)
    func text(_ name: String) -> String {
      String(decoding: machine.files[name] ?? Data(), as: UTF8.self)
    }
    let told = "\(text("lead.txt"))\(text("follow.txt"))\(machine.errors)"
    #expect(text("netem.txt").contains("delay 2.5ms  2.5ms"), "\(told)")
    let lead = try events("leader", of: machine).filter { $0.kind == .noteOn }
    let heard = try events("follower", of: machine)
    let notes = heard.filter { $0.kind == .noteOn }
    try #require(lead.count == Self.quarters && notes.count == Self.quarters, "\(told)")
    #expect(notes.enumerated().allSatisfy { $1.key == Int(Self.key($0)) })
    // By the clock of the controlling machine, which is fast.
    let start = Double(lead[0].time)
    let places = (0..<Self.quarters).map { start + Self.due($0) / (1 + Self.skew * 1e-6) }
    let own = zip(lead, places).map { (Double($0.time) - $1) / 1e6 }
    let errors = zip(notes, places).map { (Double($0.time) - $1) / 1e6 }
    // MIDI clocks are aligned with the notes.
    let clocks = heard.drop { $0.kind != .start }.filter { $0.kind == .clock }.map(\.time)
    var clockErrors: [Double] = []
    for quarter in 1..<Self.quarters where clocks.indices.contains(24 * quarter) {
      clockErrors.append((Double(clocks[24 * quarter]) - places[quarter]) / 1e6)
    }
    func most(_ errors: [Double]) -> Double { errors.map(abs).max() ?? .infinity }
    let rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    print(
      "Link chain, \(Self.seconds) s: notes at most \(most(errors)) ms off the song's map, RMS \(rms);"
        + " clocks \(most(clockErrors)); the leader's own \(most(own))")
    #expect(most(errors) < 1 && most(clockErrors) < 1)
    #expect(clockErrors.count > Self.quarters - 3)
    let ends = [0, 130].map { "lead 0\nfollow \($0)\nkeeper 130\n" }
    #expect(ends.contains(text("status.txt")), "\(told)")
  }

  @Test func `with a tenth lost and the rest up to 20 ms late they join in ten seconds`() throws {
    let machine = try ALSAMachine(
      running: Self.network("delay 10ms 10ms loss 10%") + """
        # Each time in a new session: one left by its last peer restarts its age.
        for turn in 1 2 3 4 5; do
          there $DOWNBEAT clock serve old --sync link --bpm 97 2> old.txt & old=$!
          sleep 4
          $DOWNBEAT clock watch link --for 10500ms --json > $turn.json
          kill -INT -- -$old; wait $old
        done
        kill $other
        """, brought: Self.tools)
    let words = String(decoding: machine.files["netem.txt"] ?? Data(), as: UTF8.self)
    #expect(words.contains("delay 10ms  10ms loss 10%"), "\(words)\(machine.errors)")
    for turn in 1...5 {
      let lines = try String(decoding: machine.files["\(turn).json"] ?? Data(), as: UTF8.self)
        .split(separator: "\n").compactMap {
          try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
      let joined = lines.firstIndex {
        $0["peers"] as? Int == 1 && $0["founder"] as? Bool == false && $0["tempo"] as? Double == 97
      }
      print("Link with loss: joined within \(joined.map { "\($0 + 1)" } ?? "no") s")
      #expect(joined != nil, "\(lines)\(machine.errors)")
    }
  }
}
