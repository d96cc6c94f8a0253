// SPDX-License-Identifier: Apache-2.0
// Clicks in time with the MIDI clock that a port sends: metronome PORT FONT.sf2
import ALSAAudio
import ALSAMIDI
import ClockService
import Downbeat
import MIDIPorts
import MusicSequences
import MusicalTime
import SequencePlayback

func click(behind name: String, with font: String) throws {
  var clicks = MusicSequence()
  try clicks.appendClicks(until: 960_000)
  let session = try Session(clicks, settings: SessionSettings(soundFont: font))
  let client = try ALSAClient(name: "metronome")
  let port = try ALSAInputPort(client, name: "clock")
  try port.connect(to: client.find(name, .source))
  var options = PlaybackOptions()
  options.startsAtOnce = false
  let playback = try session.play(on: ALSAOutputUnit(), options: options)
  try playback.follow(.midiClock(MIDIClockFollower()), input: port)
  playback.observe { event in
    switch event.kind {
    case .started(let tick): print("started at", tick.value)
    case .stopped(let tick): print("stopped before", tick.value)
    default: break
    }
  }
  print("Return quits")
  _ = readLine()
  playback.end(draining: false)
}

let words = CommandLine.arguments.dropFirst()
if words.count == 2 {
  do {
    try click(behind: words[1], with: words[2])
  } catch {
    print(error)
  }
} else {
  print("usage: metronome PORT FONT.sf2")
}
