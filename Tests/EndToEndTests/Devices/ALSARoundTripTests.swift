// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// How long sound is under way from an output of ours to an input of ours, through the kernel's loopback
/// card: what the two say of it, what it is, and what the kernel's own counts say.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ALSARoundTripTests {
  private static let probe = ToolRun.program("TestProbe")

  private static let script = """
    cd "$VM_OUT"
    for bits in 16 32; do
      echo "pcm.out$bits { type hw card Loopback device 0 format S${bits}_LE }"
      echo "pcm.in$bits { type hw card Loopback device 1 format S${bits}_LE }"
    done > narrow.conf
    export ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:narrow.conf
    cable=/proc/asound/Loopback
    count() { # NAME STREAM: frames that the kernel has counted
      local text; read -rd '' text < $cable/$2/sub0/status
      [[ $text =~ hw_ptr\\ *:\\ ([0-9]+) ]] && printf -v $1 %s ${BASH_REMATCH[1]}
    }
    witness() { # how far the input is ahead of the output, both seen in one step of the card
      local played again=-1 came
      sleep 2.5
      until [ "$played" = "$again" ]; do
        count played pcm0p; count came pcm1c; count again pcm0p
      done
      echo witness $((came - played))
    }
    for rate in 48000 44100; do for feed in "64 8" "128 4" "256 4" "1000 4" "1024 4"; do for bits in 16 32; do
      { witness & \(probe) latency out$bits in$bits $rate $feed 3; wait; } > $rate-${feed% *}-$bits.txt 2>&1
    done; done; done
    # A pause that only the output does not outlast, and one that neither does.
    for halt in 0.3 1; do
      \(probe) latency out16 in16 48000 256 4 5 > halt-$halt.txt 2>&1 & probe=$!
      await grep -q sound halt-$halt.txt
      sleep 2; kill -STOP $probe; sleep $halt; kill -CONT $probe; wait $probe
    done
    # The same card on the interrupts of another, which plays silence: each is a period, as in hardware.
    rmmod snd-aloop; /m/insmod /m/snd-aloop.ko timer_source=Dummy.0.0
    for feed in "64 8" "128 4" "256 4" "1000 4" "1024 4"; do
      aplay -q -D hw:Dummy -t raw -f S16_LE -c 2 -r 44100 --period-size=${feed% *} /dev/zero & pace=$!
      await grep -qs RUNNING /proc/asound/Dummy/pcm0p/sub0/status
      for bits in 16 32; do
        { witness & \(probe) latency out$bits in$bits 44100 $feed 3; wait $!; } > paced-${feed% *}-$bits.txt 2>&1
      done
      kill $pace; wait $pace
    done
    """

  private static let machine = Result { try ALSAMachine(running: script, brought: [probe]) }

  /// What is said of the sounds that came.
  private struct Trip {
    /// Where each was put in what was played, and by how many frames that is wrong.
    var sounds: [(frame: Int, off: Int)] = []
    /// The parts of a frame that are beside it.
    var parts: [Double] = []
    /// Frames of the input before the first of what was played; each once.
    var starts: Set<Int> = []
    /// The sounds that have a gap in them.
    var brokenCount = 0
    /// How far the input was ahead of the output by the kernel's counts.
    var witness: Int?
    var text = ""
  }

  private func trip(_ name: String) throws -> Trip {
    let machine = try Self.machine.get()
    let file = try #require(machine.files["\(name).txt"], "\(machine.errors)")
    var trip = Trip()
    trip.text = String(decoding: file, as: UTF8.self)
    for line in trip.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.first == "witness" { trip.witness = words.last.flatMap { Int($0) } }
      guard words.first == "sound", let frame = Int(words[1]) else { continue }
      if words[2] == "broken" { trip.brokenCount += 1 }
      guard words.count == 8, let off = Int(words[3]), let part = Double(words[5]),
        let input = Int(words[7])
      else { continue }
      trip.sounds.append((frame, off))
      trip.parts.append(part)
      trip.starts.insert(input - frame + off)
    }
    return trip
  }

  private static let feeds = [(64, 8), (128, 4), (256, 4), (1000, 4), (1024, 4)]

  @Test(arguments: feeds, [16, 32])
  func
    `what was played is recorded where the clocks say, to the sample, at once`(
      feed: (period: Int, periods: Int), bits: Int
    ) throws
  {
    let trip = try trip("48000-\(feed.period)-\(bits)")
    #expect(trip.sounds.count >= 28 && trip.brokenCount == 0, "\(trip.text)")
    #expect(trip.sounds.allSatisfy { $0.off == 0 }, "\(trip.text)")
    // Half a frame would be the wrong sample. The first half second depends on when the two devices
    // start in the card's tick, since the clocks have seen few of its steps.
    let known = zip(trip.sounds, trip.parts).filter { $0.0.frame >= 24_000 }
    #expect(known.count >= 20 && known.allSatisfy { abs($0.1) < 0.3 }, "\(trip.text)")
    #expect(trip.parts.allSatisfy { abs($0) < 0.5 }, "\(trip.text)")
  }

  /// With two cards the emulated processor is late for some interrupts, the first ones above all.
  @Test(arguments: feeds, [16, 32])
  func `a card that counts in periods is known to the sample at 44,100 too, within a second`(
    feed: (period: Int, periods: Int), bits: Int
  ) throws {
    let trip = try trip("paced-\(feed.period)-\(bits)")
    #expect(trip.sounds.count >= 28 && trip.brokenCount == 0, "\(trip.text)")
    let known = zip(trip.sounds, trip.parts).filter { $0.0.frame >= 44_100 }
    #expect(known.count >= 18 && known.allSatisfy { $0.0.off == 0 }, "\(trip.text)")
    #expect(known.allSatisfy { abs($0.1) < 0.3 }, "\(trip.text)")
  }

  /// The loopback card counts in ticks of 176.4 frames then, and carries what it rounds over from one of
  /// its streams to the other.
  ///
  /// Where it is not asked at every tick, so that it counts several at once, its own count runs by up to
  /// five frames beside an even line: there is no even pace that a clock could find.
  @Test(arguments: feeds, [16, 32])
  func `a card whose own count is uneven is known to as many frames`(
    feed: (period: Int, periods: Int), bits: Int
  ) throws {
    let trip = try trip("44100-\(feed.period)-\(bits)")
    #expect(trip.sounds.count >= 28 && trip.brokenCount == 0, "\(trip.text)")
    let allowance = feed.period < 176 ? 0 : 10
    #expect(trip.sounds.allSatisfy { abs($0.off) <= allowance }, "\(trip.text)")
  }

  @Test(arguments: ["48000", "44100", "paced"], feeds)
  func `the kernel's own counts say the same`(
    card: String, feed: (period: Int, periods: Int)
  ) throws {
    for bits in [16, 32] {
      let trip = try trip("\(card)-\(feed.period)-\(bits)")
      let witness = try #require(trip.witness, "\(trip.text)")
      // All of the output's buffer but a period is silence at first.
      #expect(trip.starts == [witness + feed.period * (feed.periods - 1)], "\(trip.text)")
    }
  }

  @Test(arguments: [("0.3", 0), ("1", 1)])
  func `after a pause that one or both do not outlast it is known to the sample as before`(
    halt: String, gaps: Int
  ) throws {
    let trip = try trip("halt-\(halt)")
    #expect(trip.text.contains("xruns 1 gaps \(gaps)"), "\(trip.text)")
    // What was under way then, on either side.
    #expect((1...3).contains(trip.brokenCount), "\(trip.text)")
    #expect(trip.sounds.count >= 40 && trip.starts.count == 2, "\(trip.text)")
    #expect(trip.sounds.allSatisfy { $0.off == 0 }, "\(trip.text)")
  }
}
