// SPDX-License-Identifier: Apache-2.0
import MIDIPorts
import Testing

/// One way of naming ports, whatever they are ports of.
@Suite struct PortSystemTests {
  /// Nothing is there.
  private struct NoServer: Error, Equatable {}

  private static func system(_ devices: [PortKind: [String]]) -> PortSystem {
    PortSystem(
      [PortKind.alsa, .rtp, .jack].compactMap { kind in
        guard let names = devices[kind] else { return nil }
        let ports = LoopbackPorts(kind)
        for name in names { ports.plugIn(name) }
        return .init(kind) { ports }
      })
  }

  private let studio = system([
    .alsa: ["UM-ONE", "studio piano", "fluid"], .rtp: ["studio", "iPad"],
    .jack: ["system", "fluid"],
  ])

  @Test(arguments: [
    ("UM-ONE", PortKind.alsa, "UM-ONE"), ("um", .alsa, "UM-ONE"), ("alsa:um", .alsa, "UM-ONE"),
    ("rtp:studio", .rtp, "studio"), ("rtp:ipa", .rtp, "iPad"), ("ipad", .rtp, "iPad"),
    ("system", .jack, "system"), ("jack:sys", .jack, "system"), ("jack:fluid", .jack, "fluid"),
    // The one whose name is nearer to the text.
    ("studio", .rtp, "studio"), ("studio p", .alsa, "studio piano"),
    ("alsa:studio", .alsa, "studio piano"),
  ])
  func `a text names one port of one kind`(text: String, kind: PortKind, name: String) throws {
    let found = try studio.find(text, .destination)
    #expect(found.kind == kind)
    #expect(found.name == name)
    #expect(found.direction == .destination)
  }

  @Test func `a name found in two kinds is an error that lists both spellings`() {
    let error = #expect(throws: EndpointError.self) { try studio.find("fluid", .source) }
    guard case .ofSeveralKinds("fluid", let names, [.alsa, .jack]) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(names.count == 2)
    #expect(names[1] == "jack:fluid")
    #expect(error?.description.contains("write alsa:fluid or jack:fluid") == true)
  }

  @Test func `a kind that nothing provides is refused with those there are`() {
    let alone = Self.system([.alsa: ["studio"]])
    let error = #expect(throws: EndpointError.self) { try alone.find("rtp:studio", .source) }
    #expect(error == .noProvider(text: "rtp:studio", available: [.alsa]))
    #expect(
      error?.description
        == "port 'rtp:studio': unknown kind of port (available: alsa:)")
    #expect(throws: EndpointError.noProvider(text: "rtp:studio", available: [.alsa])) {
      try alone.find(["studio", "rtp:studio"], .source)
    }
  }

  @Test func `a colon behind any other word is part of a name`() throws {
    let system = Self.system([.alsa: ["midi:one"], .rtp: ["loft: piano"]])
    #expect(try system.find("midi:one", .source).kind == .alsa)
    #expect(try system.find("loft: piano", .source).kind == .rtp)
    #expect(system.split("Midi Through:0").kind == nil)
    #expect(system.split("jack:system:1") == (kind: .jack, rest: "system:1"))
  }

  @Test func `several texts, and one with commas, name ports of several kinds`() throws {
    let found = try studio.find(["UM-ONE,rtp:studio", "jack:fluid,um-one"], .destination)
    #expect(found.map(\.fullName).suffix(2) == ["rtp:studio", "jack:fluid"])
    #expect(found.map(\.kind) == [.alsa, .rtp, .jack])
    #expect(throws: EndpointError.self) { try studio.find(["UM-ONE,rtp:nobody"], .destination) }
  }

  @Test func `numbers are ALSA's alone`() throws {
    // The numbers of a simulated ALSA port start at 192, and other kinds cannot be found by number.
    let number = try studio.find("jack:system", .source).address
    #expect(throws: EndpointError.self) { try studio.find("\(number)", .source) }
  }

  @Test func `the other kinds are found without a missing one, which gives its error`() throws {
    let ports = LoopbackPorts(.rtp)
    ports.plugIn("studio")
    let system = PortSystem([
      .init(.alsa) { throw NoServer() }, .init(.rtp) { ports }, .init(.jack) { throw NoServer() },
    ])
    #expect(try system.find("studio", .source).kind == .rtp)
    #expect(try system.peers().devices.map(\.name) == ["studio"])
    #expect(throws: NoServer()) { try system.find("jack:studio", .source) }
    // It might be ALSA's.
    #expect(throws: NoServer()) { try system.find("nobody", .source) }
    #expect(throws: NoServer()) { try PortSystem([.init(.jack) { throw NoServer() }]).peers() }
  }

  @Test func `a port that is awaited can be of any kind`() throws {
    let (first, second) = (LoopbackPorts(.alsa), LoopbackPorts(.rtp))
    let names = ["other", "wanted"]
    var waits = 0
    let finder = PortFinder(PortSystem(first, second)) { descriptors in
      #expect(descriptors.count == 2)
      second.plugIn(names[waits])
      waits += 1
    }
    #expect(try finder.find(["wanted"], .source).map(\.fullName) == ["rtp:wanted"])
    #expect(waits == 2)
  }

  @Test func `a provider is opened once, and not before it is asked for`() throws {
    nonisolated(unsafe) var count = 0
    let ports = LoopbackPorts(.alsa)
    ports.plugIn("one")
    let system = PortSystem([
      .init(.alsa) { ports },
      .init(.jack) {
        unsafe count += 1
        return LoopbackPorts(.jack)
      },
    ])
    _ = try system.find("alsa:one", .source)
    #expect(unsafe count == 0)
    for _ in 0..<3 { _ = try system.find("one", .source) }
    #expect(unsafe count == 1)
  }
}
