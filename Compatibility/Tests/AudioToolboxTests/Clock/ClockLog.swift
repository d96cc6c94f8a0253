// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Synchronization
import TestSupport
import Testing

/// The messages that a clock has sent to a listener, in order.
final class ClockLog: Sendable {
  private let messages = Mutex<[CAClockMessage]>([])
  private let parameterCount = Mutex(0)

  var all: [CAClockMessage] { messages.withLock { $0 } }

  /// The number of messages with a parameter.
  var parameters: Int { parameterCount.withLock { $0 } }

  static let listener: CAClockListenerProc = { data, message, parameter in
    guard let data else { return }
    let log = Unmanaged<ClockLog>.fromOpaque(data).takeUnretainedValue()
    log.messages.withLock { $0.append(message) }
    if parameter != nil { log.parameterCount.withLock { $0 += 1 } }
  }

  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  // Counted under the lock: the thread sanitizer takes a reader of a copy for a reader of the
  // array.
  func count(_ message: CAClockMessage) -> Int {
    messages.withLock { $0.count { $0 == message } }
  }

  /// Waits until a message has arrived a number of times, at most one minute.
  func wait(for message: CAClockMessage, count: Int = 1) async {
    await TestSupport.wait { self.count(message) >= count }
    #expect(self.count(message) >= count, "\(message.rawValue)")
  }
}

/// A clock with a listener, disposed of at the end; its functions return values.
final class TestClock {
  let handle: CAClockRef?
  let log = ClockLog()

  init() {
    handle = CoreAudioClockTests.clock()
    #expect(CAClockAddListener(handle, ClockLog.listener, log.data) == 0)
  }

  deinit { CAClockDispose(handle) }

  /// Follows a master.
  ///
  /// The clock is armed by default, and waits for a master that is silent.
  func follow(_ mode: CAClockSyncMode, freewheel: Double = 3600, armed: Bool = true) {
    #expect(set(.mtcFreewheelTime, [freewheel]) == 0)
    #expect(set(.syncMode, [mode.rawValue]) == 0)
    if armed { #expect(CAClockArm(handle) == 0) }
  }

  func set<Value>(_ property: CAClockPropertyID, _ values: [Value]) -> OSStatus {
    CoreAudioClockTests.set(handle, property, values)
  }

  func parse(_ packets: [(MIDITimeStamp, [UInt8])]) {
    MIDIStudio.with(packets) { #expect(CAClockParseMIDI(handle, $0) == 0) }
  }

  /// The media time at a host time.
  func media(_ host: UInt64, _ format: CAClockTimeFormat) -> Double {
    let time = CAClockTime(format: .hostTime, reserved: 0, time: .init(hostTime: host))
    let (status, answer) = CoreAudioClockTests.translate(handle, time, format)
    return status == 0 ? answer.time.seconds : .nan
  }

  var beats: Double {
    var time = CAClockTime()
    return CAClockGetCurrentTime(handle, .beats, &time) == 0 ? time.time.beats : .nan
  }

  /// The position of the start, in beats.
  var start: Double {
    var time = CAClockTime()
    return CAClockGetStartTime(handle, .beats, &time) == 0 ? time.time.beats : .nan
  }

  var rate: Double {
    var rate = 0.0
    return CAClockGetPlayRate(handle, &rate) == 0 ? rate : .nan
  }
}
