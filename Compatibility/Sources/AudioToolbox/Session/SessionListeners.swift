// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioTypes
internal import Foundation
internal import Synchronization

/// The functions that programs added to the session.
@safe
final class SessionListeners: @unchecked Sendable {
  // Unchecked: the program is responsible for the threads on which its pointers are used.

  static let shared = SessionListeners()

  @safe
  private struct Listener {
    let property: AudioSessionPropertyID
    let function: AudioSessionPropertyListener
    let data: UnsafeMutableRawPointer?

    @unsafe
    init(
      _ property: AudioSessionPropertyID, _ function: @escaping AudioSessionPropertyListener,
      _ data: UnsafeMutableRawPointer?
    ) {
      self.property = property
      unsafe self.function = function
      unsafe self.data = data
    }

    @unsafe
    func matches(
      _ property: AudioSessionPropertyID, _ function: AudioSessionPropertyListener,
      _ data: UnsafeMutableRawPointer?
    ) -> Bool {
      unsafe self.property == property && self.data == data
        && unsafeBitCast(self.function, to: Int.self) == unsafeBitCast(function, to: Int.self)
    }
  }

  private let lock = Mutex(())
  private var listeners: [Listener] = []
  private var interruption: (AudioSessionInterruptionListener, UnsafeMutableRawPointer?)?
  private var isInitialized = false

  private init() {
    _ = SystemSession.shared.addListener { [self] change in
      CallbackLoop.perform(orOn: nil) { [self] in notify(change) }
    }
  }

  /// Stores the listener for interruptions; returns false for a second call.
  @unsafe
  func initialize(
    _ function: AudioSessionInterruptionListener?, _ data: UnsafeMutableRawPointer?
  ) -> Bool {
    lock.withLock { _ in
      guard !isInitialized else { return false }
      isInitialized = true
      if let function = unsafe function { unsafe interruption = (function, data) }
      return true
    }
  }

  /// Adds a listener.
  @unsafe
  func add(
    _ property: AudioSessionPropertyID, _ function: @escaping AudioSessionPropertyListener,
    _ data: UnsafeMutableRawPointer?
  ) {
    lock.withLock { _ in unsafe listeners.append(Listener(property, function, data)) }
  }

  /// Removes a listener; returns false if it was not added.
  @unsafe
  func remove(
    _ property: AudioSessionPropertyID, _ function: AudioSessionPropertyListener,
    _ data: UnsafeMutableRawPointer?
  ) -> Bool {
    lock.withLock { _ in
      let index = listeners.firstIndex { unsafe $0.matches(property, function, data) }
      if let index { listeners.remove(at: index) }
      return index != nil
    }
  }

  private func notify(_ change: SystemSession.Change) {
    let (listeners, interruption) = unsafe lock.withLock { _ in
      unsafe (self.listeners, self.interruption)
    }
    let reason: UInt32
    switch change {
    case .deviceLost: reason = kAudioSessionRouteChangeReason_OldDeviceUnavailable
    case .deviceReturned: reason = kAudioSessionRouteChangeReason_NewDeviceAvailable
    case .categoryChanged: reason = kAudioSessionRouteChangeReason_CategoryChange
    case .overridden: reason = kAudioSessionRouteChangeReason_Override
    }
    if change == .deviceLost, let interruption = unsafe interruption {
      unsafe interruption.0(interruption.1, kAudioSessionBeginInterruption)
    }
    for listener in listeners { send(reason, to: listener) }
    if change == .deviceReturned, let interruption = unsafe interruption {
      unsafe interruption.0(interruption.1, kAudioSessionEndInterruption)
    }
  }

  private func send(_ reason: UInt32, to listener: Listener) {
    switch listener.property {
    case kAudioSessionProperty_AudioRouteChange:
      let dictionary = NSDictionary(
        object: NSNumber(value: reason),
        forKey: NSString(string: kAudioSession_AudioRouteChangeKey_Reason))
      withExtendedLifetime(dictionary) {
        unsafe listener.function(
          listener.data, listener.property, 8, Unmanaged.passUnretained(dictionary).toOpaque())
      }
    case kAudioSessionProperty_AudioInputAvailable:
      var isAvailable: UInt32 = SessionPort.input == nil ? 0 : 1
      unsafe listener.function(listener.data, listener.property, 4, &isAvailable)
    default: break
    }
  }
}
