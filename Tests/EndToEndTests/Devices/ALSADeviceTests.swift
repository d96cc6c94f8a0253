// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// What becomes of a device, and of an instrument that is played live, under a real ALSA kernel.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ALSADeviceTests {
  /// Twelve strokes on a wood block, half a second apart.
  private static let song = Data(SongBytes.notes(12, every: 480, channel: 9, key: 76))
  private static let spacing = 24_000

  private static let script = """
    set -m
    cd "$VM_OUT"
    sound="--soundfont Soundfonts/Downbeat.sf2 --rate 48000 --no-reverb --no-chorus"
    sound="${sound/Soundfonts/$OLDPWD/Soundfonts}"
    device="--audio hw:Loopback,0,0 --period 512 --periods 4"
    pcm=/proc/asound/Loopback
    record() {
      arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 -B 8000000 $1.wav & recorder=$!
      await grep -q RUNNING $pcm/pcm1c/sub0/status
    }
    pointer() { sed -n "s/^$1 *: //p" $pcm/pcm1c/sub0/status; }
    caught_up() { [ "$(pointer appl_ptr)" -ge "$due" ]; }
    finish() { sleep 2; due=$(pointer hw_ptr); await caught_up; kill -INT $recorder; wait $recorder; }
    sounds() { grep -q RUNNING $pcm/pcm0p/sub0/status; }

    # Card 0 has MIDI alone, and what the doctor says makes another the first.
    export DOWNBEAT_SOUNDFONT=$OLDPWD/Soundfonts/Downbeat.sf2
    home=$HOME; export HOME=$VM_OUT
    doctor() { "${@:2}" $DOWNBEAT doctor > doctor-$1.txt; echo doctor $1 $? >> status.txt; }
    doctor before
    eval "$($DOWNBEAT doctor --fix)"
    doctor after
    doctor nobody setpriv --reuid 65534 --regid 65534 --clear-groups
    HOME=$home; unset DOWNBEAT_SOUNDFONT

    record live
    $DOWNBEAT synth $sound $device --json > synth.json 2> synth.txt & synth=$!
    await eval 'aconnect -o | grep -q "downbeat synth"'
    $DOWNBEAT play "$INPUTS/song.mid" -p "downbeat synth"; echo sent $? >> status.txt
    finish
    kill -TERM $synth; wait $synth; echo synth $? >> status.txt

    # Pictures at a terminal, and a synth that is led.
    at_terminal() {
      SHELL=$BASH script -qfc "exec env TERM=xterm LC_ALL=C.UTF-8 ${*:2}" $1.tty > /dev/null < /dev/null
    }
    at_terminal synth $DOWNBEAT synth $sound $device & synth=$!
    await eval 'aconnect -o | grep -q "downbeat synth"'
    $DOWNBEAT send -p "downbeat synth" pc 41 on 60 100
    for words in "volume -3dB" "program 2 20" "transpose -2" "mute 3"; do
      $DOWNBEAT ctl $words; echo $words $? >> status.txt
    done
    $DOWNBEAT ctl status --json > led.json
    $DOWNBEAT ctl seek 3 2> refused.txt; echo refused $? >> status.txt
    $DOWNBEAT ctl quit; wait $synth; echo led $? >> status.txt
    at_terminal record $DOWNBEAT record -p 14 -o shown.mid --length 1s & record=$!
    await eval 'aconnect -o | grep -q "downbeat record"'
    $DOWNBEAT send -p 14 on 64 100 wait 300ms off 64 0; wait $record; echo shown $? >> status.txt

    record stopped
    $DOWNBEAT play "$INPUTS/song.mid" $sound $device --meters --json > stopped.json 2> stopped.txt & player=$!
    await sounds; sleep 2.2; kill -STOP $player; sleep 1; kill -CONT $player
    wait $player; echo stopped $? >> status.txt
    finish

    # The recorder comes first, and both ends of the cable have its format; it goes with the card.
    driver=/sys/bus/platform/drivers/snd_aloop
    record gone
    $DOWNBEAT play "$INPUTS/song.mid" $sound $device --on-device-loss wait --json > gone.json 2> gone.txt & player=$!
    await sounds; sleep 2.2; echo snd_aloop.0 > $driver/unbind
    await grep -q "is gone" gone.txt; sleep 1; echo snd_aloop.0 > $driver/bind
    await grep -q "is back" gone.txt
    wait $recorder
    record back
    wait $player; echo back $? >> status.txt
    finish

    # Another device takes the place of the lost one; the song waits, or ends, where that is wished.
    # What the doctor wrote would make the lost card the default one: it is left out of the way.
    echo 'pcm.!default { type plug slave.pcm "null" }' > $VM_OUT/asound.conf; mkdir /tmp/plain
    lose() { # NAME WORDS…
      HOME=/tmp/plain ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$VM_OUT/asound.conf \
        $DOWNBEAT play "$INPUTS/song.mid" $sound $device "${@:2}" --json > $1.json 2> $1.txt & player=$!
      await sounds; sleep 1; echo snd_aloop.0 > $driver/unbind
      await grep -q "is gone" $1.txt
    }
    lose moved; await grep -q "now" moved.txt
    wait $player; echo moved $? >> status.txt; echo snd_aloop.0 > $driver/bind
    lose paused --on-device-loss pause; await grep -q "now" paused.txt; sleep 1
    $DOWNBEAT ctl status --json > paused.status; $DOWNBEAT ctl quit
    wait $player; echo paused $? >> status.txt; echo snd_aloop.0 > $driver/bind
    lose ended --on-device-loss stop
    wait $player; echo ended $? >> status.txt; echo snd_aloop.0 > $driver/bind

    # A card that can be recorded from by one program alone.
    rmmod snd-aloop; /m/insmod /m/snd-aloop.ko pcm_substreams=1
    await test -e $pcm
    arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 busy.wav & recorder=$!
    await grep -q RUNNING $pcm/pcm1c/sub0/status
    $DOWNBEAT devices --json > inputs.json; $DOWNBEAT doctor > doctor-inputs.txt
    $DOWNBEAT sound record --audio hw:9 -o none.wav 2> none.txt; echo none $? >> status.txt
    grep -q RUNNING $pcm/pcm1c/sub0/status; echo undisturbed $? >> status.txt
    kill -INT $recorder; wait $recorder
    """

  private static let machine = Result {
    try ALSAMachine(
      running: script, timeout: 240, inputs: ["song.mid": song],
      brought: ["/usr/bin/script"])
  }

  private func text(_ name: String) throws -> String {
    let machine = try Self.machine.get()
    let content = try #require(machine.files[name], "\(name) is missing: \(machine.errors)")
    return String(decoding: content, as: UTF8.self)
  }

  /// The distances between captured strokes, in frames.
  private func distances(_ name: String) throws -> [Int] {
    let machine = try Self.machine.get()
    let capture = try #require(
      machine.files[name].flatMap(WaveAudio.init), "\(name) is missing: \(machine.errors)")
    let onsets = capture.onsets()
    var distances = zip(onsets.dropFirst(), onsets).map { $0 - $1 }
    // The rest of a stroke that silence, or the capture's beginning, cut in two is an onset too.
    if let rest = distances.firstIndex(where: { $0 < Self.spacing - 512 }) {
      let short = distances.remove(at: rest)
      if rest > 0 { distances[rest - 1] += short }
    }
    return distances
  }

  @Test func `a live instrument keeps the time of what is played on it`() throws {
    let distances = try distances("live.wav")
    #expect(distances.count == 11)
    // Half a quantum at each end, and the port's own jitter.
    let steady = distances.filter { abs($0 - Self.spacing) <= 64 + 48 }
    #expect(steady.count >= 9, "\(distances)")
    // The card counts in jiffies of 4 ms, so that its first positions may lie as much too early.
    #expect(distances.allSatisfy { abs($0 - Self.spacing) <= 192 + 64 }, "\(distances)")
    #expect(try text("synth.txt").contains(", latency "))
  }

  @Test func `a process that stood still goes on where it was, and says what was missed`() throws {
    let distances = try distances("stopped.wav")
    #expect(distances.count == 11, "\(distances)")
    let gaps = distances.filter { abs($0 - Self.spacing) > 512 }
    #expect(gaps.count == 1, "\(distances)")
    #expect(gaps.allSatisfy { (40_000...110_000).contains($0 - Self.spacing) }, "\(distances)")
    #expect(try text("stopped.txt").contains("the device underran"))
  }

  @Test func `meters show the channel that sounds`() throws {
    #expect(try text("stopped.txt").contains(/dB 10:-?\d+/))
  }

  @Test func `a device that goes away is waited for, and the song goes on`() throws {
    let told = try text("gone.txt")
    #expect(told.contains("the sound device is gone; waiting for its return"))
    #expect(told.contains("the sound device is back"))
    // Some four strokes of twelve were heard before, and the recorder began a moment after.
    let distances = try distances("back.wav")
    #expect((4...8).contains(distances.count), "\(distances)")
    #expect(distances.allSatisfy { abs($0 - Self.spacing) <= 512 }, "\(distances)")
  }

  @Test func `where a device is lost the song goes on with another, pauses, or ends`() throws {
    let moved = try text("moved.txt")
    #expect(moved.contains("the sound device is gone; waiting for its return or another device"))
    #expect(moved.contains("now playing on default"), "\(moved)")
    let paused = try text("paused.txt")
    #expect(paused.contains("is gone; paused") && paused.contains("now playing on default"))
    #expect(try text("paused.status").contains(#""state":"paused""#))
    #expect(try text("ended.txt").contains("the sound device is gone"))
  }

  /// What was on a terminal of 80 columns and 24 rows, whenever that was.
  private func shown(_ name: String) throws -> String {
    let machine = try Self.machine.get()
    let bytes = Array(try #require(machine.files[name], "\(name) is missing: \(machine.errors)"))
    var terminal = TerminalPicture(columns: 80, rows: 24)
    var texts: [String] = []
    // What is before the picture is `script`'s.
    for start in stride(from: bytes.firstIndex(of: 0x1B) ?? 0, to: bytes.count, by: 256) {
      terminal.write(Array(bytes[start..<min(start + 256, bytes.count)]))
      if texts.last != terminal.text { texts.append(terminal.text) }
    }
    #expect(terminal.overruns.isEmpty && terminal.unknown.isEmpty)
    #expect(!terminal.isAlternate && !terminal.isCursorHidden && terminal.modes.isEmpty)
    return texts.joined(separator: "\n")
  }

  @Test func `a synth is shown and led, and says what cannot be asked of it`() throws {
    let led = try text("led.json")
    for words in [#""kind":"synth""#, #""volume":-3.000"#, #""transpose":-2"#, #""mute":[2]"#] {
      #expect(led.contains(words), "\(words): \(led)")
    }
    #expect(
      try text("refused.txt").contains("seek: not available for a synth (available: transpose,"))
    let shown = try shown("synth.tty")
    for words in ["downbeat synth  (port ", " 1 Violin", "volume −3 dB", "transpose −2"] {
      #expect(shown.contains(words), "\(words): \(shown)")
    }
  }

  @Test func `a recording is shown`() throws {
    let shown = try shown("record.tty")
    for words in ["shown.mid", "recording", "notes 1", " / 0:01"] {
      #expect(shown.contains(words), "\(words): \(shown)")
    }
  }

  @Test func `what happens to sound is told to programs too`() throws {
    for name in ["synth.json", "stopped.json", "gone.json", "moved.json", "ended.json"] {
      let told = try text(name)
      #expect(try SchemaJudge.faults(of: Data(told.utf8), in: "report") == "", "\(name)")
    }
    let marks = [
      ("synth.json", #""signal":15,"events":"#), ("stopped.json", #""event":"underruns","count":"#),
      ("gone.json", #""event":"device-lost""#), ("gone.json", #""event":"device-back""#),
    ]
    for (name, mark) in marks { #expect(try text(name).contains(mark), "\(name)") }
  }

  @Test func `each ends as it should`() throws {
    #expect(
      try text("status.txt").split(separator: "\n") == [
        "doctor before 69", "doctor after 0", "doctor nobody 77", "sent 0", "synth 143",
        "volume -3dB 0", "program 2 20 0", "transpose -2 0", "mute 3 0", "refused 1", "led 0",
        "shown 0", "stopped 0", "back 0", "moved 0", "paused 0", "ended 74",
        "none 69", "undisturbed 0",
      ])
  }

  @Test func `inputs are listed with channels and rates, and one in use as busy`() throws {
    let document = try JSONSerialization.jsonObject(with: Data(text("inputs.json").utf8))
    let inputs = try #require((document as? [String: Any])?["inputs"] as? [[String: Any]])
    func input(_ name: String) throws -> [String: Any] {
      try #require(inputs.first { $0["name"] as? String == name }, "\(name): \(inputs)")
    }
    let free = try input("hw:CARD=Loopback,DEV=0")
    #expect(free["channels"] as? [Int] == [1, 32] && free["rates"] as? [Int] == [8000, 192_000])
    let busy = try input("hw:CARD=Loopback,DEV=1")
    #expect((busy["error"] as? String)?.contains("in use") == true)
    let doctor = try text("doctor-inputs.txt")
    #expect(doctor.contains("hw:CARD=Loopback,DEV=0 (1…32 channels, 8000…192000 Hz)"))
    #expect(doctor.contains("hw:CARD=Loopback,DEV=1 (busy)"))
    #expect(try text("none.txt").contains("plughw:CARD=Loopback,DEV=0"))
  }

  @Test func `the doctor sees the cards, the sequencer and who may not open them`() throws {
    let told = try text("doctor-after.txt")
    for words in [
      "Loopback", "hw: opens", "snd-seq, ", "may open /dev/snd/seq",
      "high resolution (snd-hrtimer)", "ready to play",
    ] { #expect(told.contains(words), "\(words): \(told)") }
    let refused = try text("doctor-nobody.txt")
    for words in ["may not open /dev/snd/seq", "may not open /dev/snd/pcm", "usermod -aG audio"] {
      #expect(refused.contains(words), "\(words): \(refused)")
    }
  }
}
