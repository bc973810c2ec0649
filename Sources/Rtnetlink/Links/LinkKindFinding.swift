/// Why a link was given its kind: shown by the program's `interfaces` command.
package struct LinkKindFinding: Hashable, Sendable {
    package let kind: LinkKind
    /// A few words, such as `DEVTYPE=wlan` or `name wwan*`.
    package let evidence: String
    /// The link is another one under a new name: a VLAN, macvlan or bond.
    package var dependsOnLinkBelow = false
}
