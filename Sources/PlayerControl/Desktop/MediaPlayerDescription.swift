// SPDX-License-Identifier: Apache-2.0

/// The introspection document of the player's D-Bus object.
///
/// Source: D-Bus Specification, Introspection Data Format; MPRIS D-Bus Interface Specification 2.2.
package enum MediaPlayerDescription {
  private static let rootProperties = [
    ("CanQuit", "b"), ("CanRaise", "b"), ("HasTrackList", "b"), ("Identity", "s"),
    ("SupportedUriSchemes", "as"), ("SupportedMimeTypes", "as"),
  ]
  private static let playerProperties = [
    ("PlaybackStatus", "s"), ("LoopStatus", "s"), ("Rate", "d"), ("Shuffle", "b"),
    ("Metadata", "a{sv}"), ("Volume", "d"), ("Position", "x"), ("MinimumRate", "d"),
    ("MaximumRate", "d"), ("CanGoNext", "b"), ("CanGoPrevious", "b"), ("CanPlay", "b"),
    ("CanPause", "b"), ("CanSeek", "b"), ("CanControl", "b"),
  ]
  private static let writable = ["LoopStatus", "Rate", "Volume"]
  private static let methods: [(name: String, arguments: String)] = [
    ("Next", ""), ("Previous", ""), ("Pause", ""), ("PlayPause", ""), ("Stop", ""), ("Play", ""),
    ("Seek", "x"), ("SetPosition", "ox"), ("OpenUri", "s"),
  ]

  /// The XML document.
  static let text = """
    <node>
    <interface name="org.freedesktop.DBus.Properties">
    <method name="Get"><arg direction="in" type="s"/><arg direction="in" type="s"/>\
    <arg direction="out" type="v"/></method>
    <method name="GetAll"><arg direction="in" type="s"/><arg direction="out" type="a{sv}"/></method>
    <method name="Set"><arg direction="in" type="s"/><arg direction="in" type="s"/>\
    <arg direction="in" type="v"/></method>
    <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal>
    </interface>
    <interface name="\(MediaPlayer.rootInterface)">
    <method name="Quit"/><method name="Raise"/>
    \(properties(rootProperties))
    </interface>
    <interface name="\(MediaPlayer.playerInterface)">
    \(methods.map(method).joined(separator: "\n"))
    <signal name="Seeked"><arg type="x"/></signal>
    \(properties(playerProperties))
    </interface>
    </node>
    """

  private static func method(_ name: String, _ arguments: String) -> String {
    let list = arguments.map { "<arg direction=\"in\" type=\"\($0)\"/>" }.joined()
    return "<method name=\"\(name)\">\(list)</method>"
  }

  private static func properties(_ list: [(name: String, type: String)]) -> String {
    list.map { name, type in
      let access = writable.contains(name) ? "readwrite" : "read"
      return "<property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\"/>"
    }.joined(separator: "\n")
  }
}
