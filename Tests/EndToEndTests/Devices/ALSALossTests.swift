// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Cards that go away and come back again and again, under a real ALSA kernel: what plays on them, records
/// from them, and follows a clock beside them.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ALSALossTests {
  private static let losses =
    ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == nil ? 10 : 100

  /// Keys one after another, each an eighth of a second.
  private static let scale = Data(
    SongBytes.file(
      (0..<4_800).flatMap { index in
        let key = UInt8(index % 100)
        return [(0, [0x90, key, 100]), (120, [0x80, key, 64])]
      }))
  private static let noise = HeardPieces.noise(seconds: 3 * losses)

  private static let prologue = """
    cd "$VM_OUT"; set -m
    drivers=/sys/bus/platform/drivers
    export HOME=/tmp/plain; mkdir /tmp/plain
    echo 'pcm.!default { type plug slave.pcm "hw:Dummy" }' > $HOME/.asoundrc
    has() { [ "$(grep -c "$2" $1)" -ge $3 ]; }
    # A low rate leaves the emulated processor its time.
    song() { # NAME DEVICE POLICY: a song, and who hears its notes on a port
      $DOWNBEAT play "$INPUTS/scale.mid" --virtual $1 --synth --audio $2 --on-device-loss $3 --ipc /tmp/$1 \\
        --soundfont $OLDPWD/Soundfonts/Downbeat.sf2 --rate 8000 --no-reverb --no-chorus --period 128 \\
        --periods 4 -q 2> $1.txt & eval $1=$!
      await eval "aconnect -i | grep -q $1"
      aseqdump -p $1 > $1.notes & eval ${1}_heard=$!
    }
    holds() { # NAME: descriptors, KiB and threads
      echo $1 $(ls /proc/${!1}/fd | wc -l) $(grep VmRSS /proc/${!1}/status | tr -dc 0-9) \\
        $(grep Threads /proc/${!1}/status | tr -dc 0-9)
    }
    lose() { for card in $*; do echo snd_$card.0 > $drivers/snd_$card/unbind; done; }
    restore() { for card in $*; do echo snd_$card.0 > $drivers/snd_$card/bind; done; }
    end() { kill -TERM ${!1}; wait ${!1} 2> /dev/null; echo $1 $? >> status.txt; }

    """

  /// A song and a sound that wait for the card, a recording of the sound, and a clock that is followed.
  private static let waiting = Result {
    try ALSAMachine(
      running: prologue + """
        $DOWNBEAT clock follow -p 14:0 --json > follow.json 2> follow.txt & follow=$!
        await eval 'aconnect -l | grep -A 3 "downbeat" | grep -q "Connected From"'
        $DOWNBEAT clock send -p 14:0 --bpm 120 2> send.txt & send=$!
        song waiter hw:Loopback,0,0 wait
        $DOWNBEAT sound record -o take.wav --bits 16 --audio hw:Loopback,1,1 \\
          --on-device-loss wait -q 2> take.txt & take=$!
        await grep -q RUNNING /proc/asound/Loopback/pcm1c/sub1/status
        $DOWNBEAT sound play "$INPUTS/noise.wav" --audio hw:Loopback,0,1 --on-device-loss wait -q \\
          2> noise.txt & noise=$!
        all="waiter take noise"
        for ((loss = 1; loss <= \(losses); loss++)); do
          sleep 0.$((loss * 7 % 5 + 4))
          lose aloop; for name in $all; do await has $name.txt "is gone" $loss; done
          sleep 0.$((loss % 3 + 1))
          restore aloop; for name in $all; do await has $name.txt "is back" $loss; done
          if ((loss == \(min(10, losses / 2)) || loss == \(losses))); then
            for name in $all follow send; do holds $name >> held.txt; done
          fi
        done
        sleep 0.5
        for name in noise take waiter follow send; do end $name; done
        sleep 0.3; kill -INT $waiter_heard; wait
        """, timeout: 60 + 12 * losses,
      inputs: ["scale.mid": scale, "noise.wav": Data(HeardPieces.file(noise))])
  }

  /// A song that goes over to another card, and one that pauses there; each card is lost in its turn.
  private static let moving = Result {
    try ALSAMachine(
      running: prologue + """
        song mover hw:Loopback,0,0 move
        song pauser hw:Loopback,0,1 pause
        all="mover pauser"
        for ((loss = 1; loss <= \(losses); loss++)); do
          sleep 0.$((loss * 7 % 5 + 4))
          lose aloop dummy; for name in $all; do await has $name.txt "is gone" $loss; done
          sleep 0.$((loss % 3 + 1))
          restore dummy; for name in $all; do await has $name.txt "is back\\|playing on" $loss; done
          restore aloop
          $DOWNBEAT ctl --socket /tmp/pauser play || echo "loss $loss: not led"
          if ((loss == \(min(10, losses / 2)) || loss == \(losses))); then
            for name in $all; do holds $name >> held.txt; done
          fi
        done
        sleep 0.5
        for name in $all; do end $name; done
        sleep 0.3; kill -INT $mover_heard $pauser_heard; wait
        """, timeout: 60 + 12 * losses, inputs: ["scale.mid": scale])
  }

  private func text(_ name: String, _ machine: ALSAMachine) throws -> String {
    let content = try #require(
      machine.files[name], "\(name) is missing: \(machine.output) \(machine.errors)")
    return String(decoding: content, as: UTF8.self)
  }

  /// What of each process was held at an early loss and after the last.
  private func expectNothingKept(_ machine: ALSAMachine) throws {
    let lines = try text("held.txt", machine).split(separator: "\n").map {
      $0.split(separator: " ")
    }
    let numbers = Dictionary(grouping: lines, by: { $0[0] }).mapValues { lines in
      lines.map { $0.dropFirst().compactMap { Int($0) } }
    }
    print("\(Self.losses) losses, descriptors, KiB, threads: \(numbers)")
    for (name, held) in numbers {
      try #require(held.count == 2 && held.allSatisfy { $0.count == 3 }, "\(name) \(held)")
      #expect(held[1][0] <= held[0][0] && held[1][2] <= held[0][2], "\(name) \(held)")
      #expect(held[1][1] - held[0][1] < 2_048, "\(name) \(held)")
    }
  }

  /// Each key once, in its order, and ended.
  private func expectEachKeyOnce(_ name: String, _ machine: ALSAMachine) throws {
    var keys: [Int] = []
    var open: Set<Int> = []
    for match in try text("\(name).notes", machine)
      .matches(of: #/Note (on|off) +\d+, note (\d+)/#)
    {
      let key = try #require(Int(match.2))
      if match.1 == "on" { keys.append(key) }
      if match.1 == "on" { open.insert(key) } else { open.remove(key) }
    }
    #expect(keys.count > 3 * Self.losses, "\(name): \(keys.count) \(machine.errors)")
    let odd = zip(keys.dropFirst(), keys).enumerated().filter {
      ($0.element.0 - $0.element.1 + 100) % 100 != 1
    }
    #expect(odd.isEmpty, "\(name): \(odd) of \(keys.count)")
    #expect(open.isEmpty, "\(name): \(open)")
  }

  @Test func `a song that waits for its card plays each note once, and ends it`() throws {
    try expectEachKeyOnce("waiter", Self.waiting.get())
  }

  @Test func `a sound that waits for its card goes on where it was, and nothing is heard twice`()
    throws
  {
    let machine = try Self.waiting.get()
    let take = try #require(
      machine.files["take.wav"].flatMap(WaveAudio.init), "\(machine.output) \(machine.errors)")
    let pieces = HeardPieces(of: take.channels[0], in: Self.noise)
    #expect(pieces.strangeCount == 0, "\(pieces.strangeCount) \(pieces.pieces)")
    #expect(pieces.pieces.count == Self.losses + 1, "\(pieces.pieces)")
    // What the cards' buffers held, and what sounded before the recorder was back.
    #expect(pieces.holes.allSatisfy { (0...14_400).contains($0) }, "\(pieces.holes)")
    print("\(Self.losses) losses: holes of \(pieces.holes.max() ?? 0) frames at most")
  }

  @Test func `a recording says where it broke`() throws {
    let machine = try Self.waiting.get()
    let told = try text("take.txt", machine)
    let gone = told.matches(of: #/is gone at ([0-9.]+) s/#).compactMap { Double($0.1) }
    let back = told.matches(of: #/recording continues at ([0-9.]+) s/#).compactMap { Double($0.1) }
    #expect(gone.count == Self.losses && gone == back && gone == gone.sorted(), "\(told)")
    #expect(told.contains(": \(Self.losses) gaps, 0 frames lost"), "\(told)")
    // What was heard before each loss lies before the place that is told, and the rest behind it.
    let take = try #require(machine.files["take.wav"].flatMap(WaveAudio.init))
    let pieces = HeardPieces(of: take.channels[0], in: Self.noise).pieces
    for (place, (piece, next)) in zip(gone, zip(pieces, pieces.dropFirst())) {
      let frame = Int((place * 48_000).rounded())
      #expect(piece.start + piece.count <= frame + 48 && next.start >= frame - 48)
    }
  }

  @Test func `who follows a clock beside them keeps its lock`() throws {
    let machine = try Self.waiting.get()
    // A lock that is lost, or found again, would be told after it.
    let told = try text("follow.txt", machine)
    #expect(told.hasSuffix(": locked\n"), "\(told)")
    let beats = try text("follow.json", machine).matches(of: #/"beat":(\d+),/#).compactMap {
      Int($0.1)
    }
    #expect(beats.count > Self.losses && beats == Array(0..<beats.count), "\(beats)")
  }

  @Test func `songs that go over to another card, or pause there, play each note once`() throws {
    let machine = try Self.moving.get()
    try expectEachKeyOnce("mover", machine)
    try expectEachKeyOnce("pauser", machine)
    #expect(!machine.output.contains("not led"), "\(machine.output)")
  }

  @Test func `nothing is kept of a card that is gone, and each ends as it should`() throws {
    for machine in try [Self.waiting.get(), Self.moving.get()] {
      try expectNothingKept(machine)
      for line in try text("status.txt", machine).split(separator: "\n") {
        // A recording ends well where it is ended.
        #expect(line.hasSuffix(line.hasPrefix("take") ? " 0" : " 143"), "\(line)")
      }
    }
  }
}
