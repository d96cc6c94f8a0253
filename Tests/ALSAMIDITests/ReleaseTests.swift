// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// How a command that sounds ends, whatever ends it: nothing hangs, under a real ALSA kernel.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ReleaseTests {
  private static let script = """
    cd "$VM_OUT"
    set -m
    # A slow machine takes its time: what is waited for is seen, not slept for.
    await() { for try in $(seq 300); do "$@" && return; sleep 0.1; done; echo "no: $*" >&2; }
    has() { aconnect -l | grep -q "'$1'"; }
    joins() { aconnect "$1" "$2" 2>/dev/null; }
    listens() { aconnect -l | grep -q "Connected From: 14:0"; }
    status() { echo "$1 $2" >> status.txt; }
    # Sixteen notes on four channels, with a pedal and a bend; then the witness ends the sender.
    notes="$(for n in $(seq 0 15); do echo "ch $((n % 4 + 1)) on $((60 + n)) 100"; done)"
    end() { # NAME SIGNAL
      $DOWNBEAT send --virtual keyboard --wait \
        ch 1 cc 64 127 pb 0 wait 10ms $notes wait 60s off 60 0 & sender=$!
      await has keyboard
      $CAPTURE 16 3 $2 $sender > "kill-$1.txt" & witness=$!
      await joins keyboard capture
      wait $sender; status "$1" $?; wait $witness
      busybox pgrep downbeat-guardi | wc -l > "left-$1.txt"
    }
    # The crash is to end it at once, as it does where no debugger of Swift's is installed.
    export SWIFT_BACKTRACE=enable=no
    end HUP 1; end INT 2; end QUIT 3; end KILL 9; end SEGV 11; end PIPE 13; end TERM 15

    # Ctrl-Z and back.
    aseqdump -p 14:0 >> stop.txt & witness=$!
    await listens
    $DOWNBEAT send -p 14 on 60 1 wait 2s on 61 1 wait 50ms off 61 1 wait 60s & sender=$!
    await grep -q "note 60" stop.txt; kill -TSTP $sender; sleep 0.5; cut -d " " -f 3 "/proc/$sender/stat" > stopped.txt
    echo mark >> stop.txt; sleep 2
    kill -CONT $sender; sleep 2; kill -TERM $sender; wait $sender; status stop $?
    sleep 0.3; kill $witness; wait $witness

    # The kernel's connections of `thru` go when it is killed, and what they left sounding too.
    aseqdump -p 14:0 > thru.txt & witness=$!
    await listens
    $DOWNBEAT thru -f 16:0 -t 14:0 & thru=$!
    await eval 'aconnect -l | grep -q "Connecting To: 14:0"'; aconnect -l > thru-before.txt; kill -KILL $thru; sleep 0.5; aconnect -l > thru-after.txt
    kill $witness; wait $witness

    # An end as meant leaves what a script has left, and says nothing more.
    aseqdump -p 14:0 > left.txt & witness=$!
    await listens
    $DOWNBEAT send -p 14 on 60 1; sleep 0.5; kill $witness
    busybox pgrep downbeat-guardi | wc -l > left-end.txt
    true
    """

  private static let machine = Result {
    try ALSAMachine(
      running: "export CAPTURE=\(ALSAMachine.capture)\n" + script, timeout: 240)
  }

  private func lines(_ name: String) throws -> [String] {
    let machine = try Self.machine.get()
    let content = try #require(machine.files[name], "\(name) is missing: \(machine.errors)")
    return String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// ALSA's numbers of event types.
  private enum Kind {
    static let noteOff = 7
    static let control = 10
    static let bend = 13
  }

  /// What one channel is owed.
  private static func owed(channel: Int) -> Set<[Int]> {
    let keys = stride(from: 60 + channel, to: 76, by: 4).map { [Kind.noteOff, channel, $0, 64] }
    let controls = [64, 66, 67, 120, 123].map { [Kind.control, channel, $0, 0] }
    return Set(keys + controls + [[Kind.bend, channel, 0, 0]])
  }

  @Test(arguments: [
    ("HUP", 129), ("INT", 130), ("QUIT", 131), ("KILL", 137), ("SEGV", 139), ("PIPE", 141),
    ("TERM", 143),
  ])
  func `every release is there within 200 ms of the end`(signal: String, status: Int) throws {
    #expect(try lines("status.txt").contains("\(signal) \(status)"))
    let events = try lines("kill-\(signal).txt").map { $0.split(separator: " ") }
    let kill = try #require(events.firstIndex { $0.last == "kill" })
    let instant = try #require(events[kill].first.flatMap { Int($0) })
    let after = events[(kill + 1)...].map { $0.compactMap { Int($0) } }
    for channel in 0..<4 {
      for release in Self.owed(channel: channel) {
        let seen = after.first { Array($0.dropFirst()) == release }
        let time = try #require(seen?.first, "\(signal): \(release) is missing")
        #expect(time - instant <= 200_000_000, "\(signal): \(release) after \(time - instant) ns")
      }
    }
    // Nothing sounds again after it.
    #expect(!after.contains { $0.count > 1 && $0[1] == 6 })
    #expect(try lines("left-\(signal).txt") == ["0"])
  }

  @Test func `stopped it is silent, and continued it goes on`() throws {
    #expect(try lines("stopped.txt").first?.hasPrefix("T") == true)
    let seen = try lines("stop.txt").map { $0.split(separator: " ").joined(separator: " ") }
    let mark = try #require(seen.firstIndex(of: "mark"))
    #expect(seen[..<mark].contains("14:0 Note off 0, note 60, velocity 64"))
    #expect(seen[..<mark].contains("14:0 Control change 0, controller 120, value 0"))
    #expect(!seen[..<mark].contains("14:0 Note on 0, note 61, velocity 1"))
    #expect(seen[mark...].contains("14:0 Note on 0, note 61, velocity 1"))
    #expect(seen[mark...].contains("14:0 Note off 0, note 61, velocity 1"))
    #expect(try lines("status.txt").contains("stop 143"))
  }

  @Test func `what the kernel carried for thru ends with it`() throws {
    #expect(try lines("thru-before.txt").contains { $0.contains("Connecting To: 14:0") })
    #expect(try !lines("thru-after.txt").contains { $0.contains("Connecting To: 14:0") })
    let seen = try lines("thru.txt").joined()
    #expect(seen.contains("Control change         15, controller 123, value 0"))
  }

  @Test func `an end as meant leaves a script's note on`() throws {
    let seen = try lines("left.txt").filter { $0.contains("14:0") }
    #expect(seen.count == 1)
    #expect(seen.first?.contains("note 60, velocity 1") == true)
    #expect(try lines("left-end.txt") == ["0"])
  }
}
