// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CoreAudioTypes
internal import Synchronization

/// The identifiers of sound devices, and the program's choices for them.
///
/// A device keeps its identifier while the program runs, also if it is removed and added again.
struct HardwareTable: ~Copyable {
  private static let shared = Mutex(HardwareTable())

  private var names: [String] = []
  private var known: [Use: DeviceCapabilities] = [:]
  private var frames: [String: Int] = [:]
  private var rates: [String: Double] = [:]
  private var chosen: [AudioDevice.Direction: String] = [:]

  /// A device in one direction.
  private struct Use: Hashable {
    let name: String
    let direction: AudioDevice.Direction
  }

  /// A part of a device that has an identifier.
  enum Part: Equatable {
    /// The device itself.
    case device
    /// Its stream in one direction.
    case stream(AudioDevice.Direction)
  }

  /// The first identifier of a device; the next ones are of its streams for output and input.
  private static let first: AudioObjectID = 64
  private static let parts: [Part] = [.device, .stream(.playback), .stream(.capture)]

  /// The identifier of a device or a part of it.
  static func identifier(of name: String, _ part: Part = .device) -> AudioObjectID {
    let place = shared.withLock { table in
      let place = table.names.firstIndex(of: name) ?? table.names.endIndex
      if place == table.names.endIndex { table.names.append(name) }
      return place
    }
    return first + AudioObjectID(parts.count * place + (parts.firstIndex(of: part) ?? 0))
  }

  /// The device's name and its part with the identifier; nil if it is unknown.
  static func part(_ identifier: AudioObjectID) -> (name: String, part: Part)? {
    guard identifier >= first else { return nil }
    let (place, part) = Int(identifier - first).quotientAndRemainder(dividingBy: parts.count)
    return shared.withLock { table in
      place < table.names.count ? (table.names[place], parts[part]) : nil
    }
  }

  /// The formats and rates of a device, which are kept once they were read.
  ///
  /// - Throws: `HardwareError` if the device cannot be opened.
  static func capabilities(
    of device: AudioDevice, _ direction: AudioDevice.Direction
  ) throws(HardwareError) -> DeviceCapabilities {
    let use = Use(name: device.name, direction: direction)
    if let found = shared.withLock({ $0.known[use] }) { return found }
    do {
      let found = try device.capabilities(direction)
      shared.withLock { $0.known[use] = found }
      return found
    } catch {
      throw HardwareError(code: kAudioHardwareNotReadyError)
    }
  }

  /// The frames in a period that the program has set for the device.
  static func frames(of name: String) -> Int? { shared.withLock { $0.frames[name] } }

  /// Sets the frames in a period.
  static func setFrames(_ count: Int, of name: String) {
    shared.withLock { $0.frames[name] = count }
  }

  /// The rate in hertz that the program has set for the device.
  static func rate(of name: String) -> Double? { shared.withLock { $0.rates[name] } }

  /// Sets the rate in hertz.
  static func setRate(_ hertz: Double, of name: String) {
    shared.withLock { $0.rates[name] = hertz }
  }

  /// The device that the program has made its default.
  static func chosenDevice(_ direction: AudioDevice.Direction) -> String? {
    shared.withLock { $0.chosen[direction] }
  }

  /// Sets the program's default device.
  static func choose(_ name: String, _ direction: AudioDevice.Direction) {
    shared.withLock { $0.chosen[direction] = name }
  }
}
