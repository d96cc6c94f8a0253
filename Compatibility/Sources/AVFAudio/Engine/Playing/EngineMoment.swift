// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The state of an engine's output when its nodes are served.
struct EngineMoment {
  /// True if the program renders offline: quanta are served one by one.
  let isOffline: Bool
  /// The frame of the engine that is audible; nil if rendered sound counts as audible.
  let audibleFrame: Int64?
  /// The relation of the engine's frames to host time; nil without a device.
  let clock: SampleClock?
}

/// An object that prepares or delivers sound, outside of the render thread.
protocol EngineServed: AnyObject, Sendable {
  /// Does what is due.
  ///
  /// It is called on one thread at a time: every 2 ms while the engine runs on a device, and before
  /// each quantum of manual rendering.
  func serve(_ moment: EngineMoment)
}
