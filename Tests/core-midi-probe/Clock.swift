// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation

/// Leads another program by MIDI clock and time code.
enum Clock {
  static func run(on name: String) {
    var target = Directory.wait(for: name) { Directory.destinations }
    var clock: CAClockRef?
    CoreMIDIProbe.check(CAClockNew(0, &clock), "clock")
    var format = CAClockSMPTEFormat.type25.rawValue
    CAClockSetProperty(clock, .smpteFormat, 4, &format)
    CoreMIDIProbe.check(CAClockSetProperty(clock, .midiClockDestinations, 4, &target), "clocks")
    CoreMIDIProbe.check(CAClockSetProperty(clock, .mtcDestinations, 4, &target), "codes")
    CoreMIDIProbe.check(CAClockStart(clock), "start")
    CoreMIDIProbe.sleep(1.1)
    CoreMIDIProbe.check(CAClockStop(clock), "stop")
    CoreMIDIProbe.sleep(0.3)
    CAClockDispose(clock)
  }
}
