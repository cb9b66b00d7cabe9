export const placeNames: readonly string[] = `
  Lisbon Kyoto Havana Nairobi Seville Oslo Lima Tbilisi Hanoi Dakar
  Valencia Bergen Cusco Jaipur Tangier Sapporo Quito Ghent Muscat Accra
  Porto Busan Bogota Zagreb Galway Penang Kigali Riga Bologna Fez
  Cork Nagoya Recife Tallinn Luxor Cartagena Split Leipzig Zanzibar Bilbao
  Perth Granada Windhoek Aarhus Salta Turin Kochi Halifax Ljubljana Naples
  Marseille Tainan Oaxaca Bremen Gdansk Mumbai Palermo Dakhla Utrecht Montevideo
  Krakow Adelaide Cordoba Tromso Lagos Matera Hobart Sintra Tunis Glasgow
  Manila Nantes Asmara Sarajevo Reykjavik Fukuoka Antwerp Salvador Yerevan Dublin
  Mombasa Vilnius Trieste Cadiz Basel Merida Malmo Kampala Bruges Seoul
  Santiago Lucca Durban Plovdiv Toledo Macau Maputo Verona Graz Taipei
`
  .trim()
  .split(/\s+/)

/** Returns the first unused place name. */
export function findFreePlaceName(usedNames: ReadonlySet<string>): string | undefined {
  return placeNames.find((name) => !usedNames.has(name))
}

/** Appends the smallest unused number, from 2, to a name. */
export function numberedName(name: string, usedNames: ReadonlySet<string>): string {
  let number = 2
  while (usedNames.has(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}
