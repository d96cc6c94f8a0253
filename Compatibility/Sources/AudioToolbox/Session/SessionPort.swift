// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio

/// A port of the session: the device that sound is played on or recorded from.
package struct SessionPort: Hashable, Sendable {
  /// The kind, by the value of Apple's constant.
  package let kind: String
  /// A name for users.
  package let name: String
  /// The name of the ALSA device.
  package let device: String
  /// The number of channels.
  package let channelCount: Int

  /// The port that plays sound.
  ///
  /// - Note: Not real-time safe: it reads ALSA's configuration.
  package static var output: SessionPort { standard(.playback) ?? silent }

  /// The port that records, or nil if the machine cannot record.
  ///
  /// - Note: Not real-time safe: it reads ALSA's configuration.
  package static var input: SessionPort? {
    guard let chosen = SystemSession.shared.settings.inputDevice else { return standard(.capture) }
    return inputs.first { $0.device == chosen } ?? standard(.capture)
  }

  /// The ports that can record.
  ///
  /// - Note: Not real-time safe: it reads ALSA's configuration.
  package static var inputs: [SessionPort] {
    guard let standard = standard(.capture) else { return [] }
    let cards = AudioDevice.all(.capture).filter { $0.name.hasPrefix("sysdefault:") }
    return [standard] + cards.map { SessionPort($0, .capture) }
  }

  /// The port without a device: the null output, which plays in real time.
  private static let silent = SessionPort(
    kind: "Virtual", name: "Null output", device: "null", channelCount: 2)

  private static func standard(_ direction: AudioDevice.Direction) -> SessionPort? {
    let device = AudioDevice.standard
    let route = device.route
    guard let last = route.last, last != "null" else { return nil }
    let listed = AudioDevice.all(direction).first { $0.name == device.name }
    return SessionPort(listed ?? device, direction)
  }

  private init(_ device: AudioDevice, _ direction: AudioDevice.Direction) {
    let text = device.name + " " + device.description
    kind = Self.kind(text.lowercased(), direction)
    name = device.description.isEmpty ? device.name : device.description
    self.device = device.name
    channelCount = direction == .capture ? 1 : 2
  }

  private init(kind: String, name: String, device: String, channelCount: Int) {
    self.kind = kind
    self.name = name
    self.device = device
    self.channelCount = channelCount
  }

  private static func kind(_ text: String, _ direction: AudioDevice.Direction) -> String {
    if text.contains("usb") { return "USBAudio" }
    if text.contains("bluealsa") || text.contains("bluetooth") { return "BluetoothA2DPOutput" }
    guard direction == .playback else { return "MicrophoneBuiltIn" }
    if text.contains("hdmi") { return "HDMIOutput" }
    return text.contains("headphone") ? "Headphones" : "Speaker"
  }
}
