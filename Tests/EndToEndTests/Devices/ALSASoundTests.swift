// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `sound` on a real ALSA device: the kernel's loopback card, recorded at its other end.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ALSASoundTests {
  private static let rate = 48_000
  private static let period = 8192
  private static let periods = 16

  /// What both scripts begin with: a slow machine takes its time, and is waited for.
  private static let prologue = """
    cd "$VM_OUT"; set -m
    device="--audio hw:Loopback,0,0 --period \(period) --periods \(periods)"
    played=/proc/asound/Loopback/pcm0p/sub0/status
    recorded=/proc/asound/Loopback/pcm1c/sub0/status
    runs() { grep -q RUNNING $1; }
    closed() { grep -q closed $played; }
    past() { [[ $(<$played) =~ hw_ptr\\ *:\\ ([0-9]+) ]] && ((BASH_REMATCH[1] > $1)); }
    taken() { [[ $(<$recorded) =~ appl_ptr\\ *:\\ ([0-9]+) ]] && ((BASH_REMATCH[1] > $1)); }
    larger() { (($(stat -c %s "$1") > $2)); }
    lines() { (($(grep -c "$2" "$1") >= $3)); }
    record() { # NAME: from the other end of the cable, with room for 4 s in which nothing is read
      arecord -q -D hw:Loopback,1,0 -f S16_LE -r \(rate) -c 2 -B 4000000 "$1.wav" & recorder=$!
      await runs $recorded
    }
    finish() { # NAME: once all that was played before has been read
      await larger "$1.wav" $(($(stat -c %s "$1.wav") + 5 * 4 * \(rate)))
      kill -INT $recorder; wait $recorder
    }

    """

  /// A run in which neither end of the cable was starved; the third, where none was such.
  private static func boot(_ script: String, _ inputs: [String: Data]) throws -> ALSAMachine {
    var machine = try ALSAMachine(running: prologue + script, inputs: inputs)
    let marks = ["underran", "overrun", "gaps"]
    for _ in 1..<3 where marks.contains(where: machine.errors.contains) {
      machine = try ALSAMachine(running: prologue + script, inputs: inputs)
    }
    return machine
  }

  private static let click = Data(WaveBytes.click(frames: 12_000))
  /// More than 30 s: streamed from the disk, where the clips are in memory.
  private static let song = Data(
    WaveBytes.file(frames: 31 * rate, channels: 1) { frame, _ in 0.05 * sin(Double(frame) * 0.05) })
  private static let tone = Data(
    WaveBytes.file(frames: 5 * rate) { frame, _ in 0.5 * sin(Double(frame) * 0.05) })

  /// Three clips over a song, each end beside what the kernel says of the stream.
  private static let mix = Result {
    try boot(
      """
      mkfifo /tmp/ends
      while read -r line; do echo "$line $(<$played)"; done < /tmp/ends > told.txt &
      record clips
      "$DOWNBEAT" sound play "$INPUTS"/{song,a,b,c}.wav --at 0s --at 53536smp --at 69919smp \
        --at 119072smp --json $device > /tmp/ends & player=$!
      await runs $played
      cat "${played%/*}/hw_params" > agreed.txt
      await lines told.txt clipEnd 3
      kill -INT $player; wait $player; echo clips $?
      finish clips
      """, ["song.wav": song, "a.wav": click, "b.wav": click, "c.wav": click])
  }

  /// Clips whose process is killed, with all of its group; and a recording.
  private static let death = Result {
    try boot(
      """
      for flag in complete-if-process-dies together; do
        record $flag
        "$DOWNBEAT" sound play "$INPUTS/tone.wav" --$flag $device & player=$!
        await past 140000
        kill -KILL -- -$player; wait $player; echo $flag $?
        await closed
        finish $flag
      done
      echo left $(cat /proc/[0-9]*/comm | grep -c '^downbeat')
      "$DOWNBEAT" sound record -o take.wav --audio hw:Loopback,1,0 & taker=$!
      await runs $recorded
      "$DOWNBEAT" sound play "$INPUTS/tone.wav" $device
      [[ $(<$recorded) =~ hw_ptr\\ *:\\ ([0-9]+) ]]; await taken ${BASH_REMATCH[1]}
      kill -INT $taker; wait $taker; echo take $?
      """, ["tone.wav": tone])
  }

  private func heard(_ name: String, in machine: ALSAMachine) throws -> [Float] {
    let capture = machine.files["\(name).wav"].flatMap(WaveAudio.init)
    return try #require(capture, "\(name): \(machine.output) \(machine.errors)").channels[0]
  }

  /// What is no silence: where the emulator starves an end of the cable, that adds some.
  private func sound(_ samples: [Float]) -> [Float] { samples.filter { $0 != 0 } }

  private func toneSound() throws -> [Float] {
    sound(try #require(WaveAudio(Self.tone)).channels[0])
  }

  @Test func `three clips over a song lie apart as scheduled, to the sample`() throws {
    let machine = try Self.mix.get()
    let heard = try heard("clips", in: machine)
    let strokes = heard.indices.filter { heard[$0] > 0.5 }
    try #require(strokes.count == 3, "\(machine.output) \(machine.errors)")
    #expect(strokes[1] - strokes[0] == 69_919 - 53_536)
    #expect(strokes[2] - strokes[1] == 119_072 - 69_919)
    // The song goes on beneath: a disk that the emulator starves may leave silence in it.
    for stroke in strokes {
      let peak = heard[stroke + 1..<stroke + 10_000].reduce(0) { max($0, abs($1)) }
      #expect(peak > 0.049 && peak < 0.051)
    }
    #expect(machine.output.contains("clips 130"), "\(machine.output)")
  }

  @Test func `the end of each clip is told of once, after its last frame was heard`() throws {
    let machine = try Self.mix.get()
    let told = String(decoding: machine.files["told.txt"] ?? Data(), as: UTF8.self)
    let ends = told.components(separatedBy: #"{"v":1,"type":"clipEnd","#).dropFirst()
    try #require(ends.count == 3, "\(told) \(machine.errors)")
    let agreed = String(decoding: machine.files["agreed.txt"] ?? Data(), as: UTF8.self)
    let buffer = try #require(Self.number(after: "buffer_size: ", in: agreed))
    let period = try #require(Self.number(after: "period_size: ", in: agreed))
    // Whole periods end there, or a frame later: an end told of by the period is told too early.
    for (end, frame) in zip(ends, [65_536, 81_919, 131_072]) {
      #expect(end.contains(#""reason":"finished","frame":\#(frame),"#))
      let host = try #require(Self.number(after: #""host":"#, in: end))
      // When the kernel began to play; it counts in steps of its timer, of 4 ms.
      let begin = try #require(Self.seconds(after: "trigger_time: ", in: end), "\(end)")
      let count = (Double(host) / 1e9 - begin) * Double(Self.rate)
      // All of the buffer but a period is silence at first.
      #expect(count > Double(buffer - period + frame) - 200, "\(end)")
    }
  }

  @Test func `a clip that completes if the process dies outlives a KILL, whole`() throws {
    let machine = try Self.death.get()
    #expect(machine.output.contains("complete-if-process-dies 137"), "\(machine.output)")
    let heard = try sound(heard("complete-if-process-dies", in: machine))
    #expect(try Self.difference(heard, toneSound()) == nil, "\(machine.errors)")
    #expect(machine.output.contains("left 0"), "\(machine.output)")
  }

  @Test func `without that a KILL is followed by silence`() throws {
    let machine = try Self.death.get()
    #expect(machine.output.contains("together 137"), "\(machine.output)")
    let heard = try sound(heard("together", in: machine))
    let tone = try toneSound()
    #expect(heard.count > 1000 && heard.count < tone.count * 9 / 10)
    #expect(Self.difference(heard, tone.prefix(heard.count)) == nil, "\(machine.errors)")
  }

  @Test func `a recording of the loopback is what was played, and ends whole by an INT`() throws {
    let machine = try Self.death.get()
    #expect(machine.output.contains("take "), "\(machine.output)")
    let take = try sound(heard("take", in: machine))
    #expect(try Self.difference(take, toneSound()) == nil, "\(machine.errors)")
  }

  /// The first place at which what was heard is not what a file holds.
  private static func difference(
    _ heard: some Collection<Float>, _ file: some Collection<Float>
  ) -> Int? {
    let place = zip(heard, file).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return place ?? (heard.count == file.count ? nil : min(heard.count, file.count))
  }

  private static func number(after mark: String, in text: String) -> Int? {
    text.components(separatedBy: mark).dropFirst().first.flatMap {
      Int($0.prefix { $0.isNumber })
    }
  }

  private static func seconds(after mark: String, in text: String) -> Double? {
    text.components(separatedBy: mark).dropFirst().first.flatMap {
      Double($0.prefix { $0.isNumber || $0 == "." })
    }
  }
}
