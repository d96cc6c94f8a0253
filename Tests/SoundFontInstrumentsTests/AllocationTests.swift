// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import CAllocationCounter
import Glibc
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import Testing

/// Counts allocations, releases and locks on the render thread; all must be zero.
@Suite(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
struct AllocationTests {
  @Test(.disabled(if: callocationcounter_is_sanitized(), "the real-time sanitizer would end it"))
  func `the counter counts`() {
    callocationcounter_begin()
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 100)
    unsafe memory.deallocate()
    let counts = callocationcounter_end()
    #expect(counts.allocations == 1)
    #expect(counts.frees == 1)
  }

  @Test(.enabled(if: callocationcounter_is_sanitized(), "the real-time sanitizer is not linked"))
  func `the real-time sanitizer ends code that allocates or makes a system call meanwhile`() async {
    await #expect(processExitsWith: .failure) {
      callocationcounter_begin()
      usleep(1)
      _ = callocationcounter_end()
    }
    await #expect(processExitsWith: .failure) {
      callocationcounter_begin()
      unsafe free(malloc(100))
      _ = callocationcounter_end()
    }
  }

  /// With effects on, FluidSynth enters a parallel region of one thread in every quantum, also with
  /// Downbeat's voices.
  @Test(.bothEngines, arguments: [false, true])
  func `rendering an instrument and a mixer allocates and locks nothing`(effects: Bool) throws {
    let rig = try InstrumentRig(effects: effects)
    try prepare(rig)
    let plan = try rig.plan()
    plan.render(at: 0)
    callocationcounter_begin()
    for block in 1..<1000 { plan.render(at: SampleTime(frames: Int64(block * 64))) }
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
    #expect(counts.locks == 0)
    #expect(rig.instrument.activeVoiceCount > 0)
    #expect(rig.mixer.sumLevel.left.maximum > 0.01)
  }

  @Test(.bothEngines)
  func `sending, cancelling and mixing while it renders allocates nothing`() throws {
    let rig = try InstrumentRig()
    try prepare(rig)
    let plan = try rig.plan()
    let events = [TimedEvent(time: .zero, payload: .message(.program(Channel(index: 0), 0)))]
    let none: [UInt8] = []
    plan.render(at: 0)
    // The very first call creates the metadata of its generic types.
    _ = rig.instrument.send(events.span, payloads: none.span)
    rig.instrument.cancel(from: ReferenceTime(nanoseconds: .max / 4))
    callocationcounter_begin()
    for block in 1..<200 {
      _ = rig.instrument.send(events.span, payloads: none.span)
      rig.instrument.cancel(from: ReferenceTime(nanoseconds: .max / 4))
      plan.render(at: SampleTime(frames: Int64(block * 64)))
    }
    rig.instrument.silence()
    plan.render(at: 12_800)
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0)
    #expect(counts.locks == 0)
  }

  /// Sends 15 s of events of every kind, with their presets loaded.
  private func prepare(_ rig: InstrumentRig) throws {
    var messages: [(frame: Int64, message: Message)] = []
    for step in 0..<300 {
      let channel = Channel(index: UInt8(step % 16))
      let frame = Int64(step * 200)
      messages.append((frame, .program(channel, UInt8(step % 2))))
      messages.append((frame, .noteOn(channel, Key(UInt8(40 + step % 50)), velocity: 100)))
      messages.append((frame + 90, .control(channel, Controller(7), value: UInt8(step % 128))))
      messages.append((frame + 90, .bend(channel, UInt16(step * 50))))
      messages.append((frame + 150, Message(status: 0xD0 | channel.index, data1: 50)))
      messages.append((frame + 150, Message(status: 0xA0 | channel.index, data1: 60, data2: 9)))
      messages.append((frame + 190, .noteOff(channel, Key(UInt8(30 + step % 50)))))
    }
    let events = messages.map { TimedEvent(time: .zero, payload: .message($0.message)) }
    let none: [UInt8] = []
    try rig.instrument.prepare(events.span, payloads: none.span)
    rig.send(sysEx: [0x7E, 0x7F, 0x09, 0x01], frame: 0)
    #expect(rig.send(messages) == messages.count)
  }
}
