// Builds names-maghreb.json and names-pakistan.json: 1,500 names of ordinary people each, by fixed seed. node make-names.mjs
// Lists are from general knowledge of how common names are; "8:" etc. is the weight of every name in the line.
// Nothing is filtered by any list. Names of well-known people may come up by chance, as they do among real innocents.
import { writeFileSync } from 'node:fs';

function seeded(a) {
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
/** "8: A, B\n2: C" -> [[name, weight], ...]; each name once, with its first weight. */
function list(text) {
  const out = new Map();
  for (const line of text.trim().split('\n')) {
    const [, weight, names] = /^\s*(\d+):\s*(.*)$/.exec(line);
    for (const n of names
      .split(',')
      .map((x) => x.trim())
      .filter(Boolean))
      if (!out.has(n)) out.set(n, Number(weight));
  }
  return [...out];
}
const draw = (random, ...lists) => {
  const all = lists.flat(),
    total = all.reduce((a, [, w]) => a + w, 0);
  let at = random() * total;
  for (const [n, w] of all) if ((at -= w) < 0) return n;
  return all.at(-1)[0];
};

// ------------------------------------------------------------------------------------------------ Maghreb
const M = {
  men: list(`
    20: Mohamed, Ahmed
    9: Youssef, Ali, Hassan, Karim, Rachid, Said, Omar, Mustapha, Khalid, Hamza
    6: Abdelkader, Abdellah, Brahim, Samir, Mehdi, Amine, Ismail, Bilal, Yassine, Anis, Kamel, Nabil, Mourad, Farid, Adel, Aziz, Hamid, Driss
    4: Abderrahmane, Abdelaziz, Abdelkrim, Abdelhak, Abdelhamid, Abdelmalek, Abdelilah, Lahcen, Houcine, Larbi, Tarek, Walid, Sofiane, Hicham, Jamal, Noureddine, Redouane, Reda, Anas, Ayoub, Zakaria, Othmane, Imad, Issam, Adil, Fouad, Jalal, Mounir, Taoufik, Salim, Salah, Slimane
    2: Abdelghani, Abdeljalil, Abdelmajid, Abdellatif, Abderrahim, Abdessamad, Abdeslam, Abdelwahab, Abdelouahed, Abdelmoumen, Allal, Azzedine, Badr, Bouchaib, Boujemaa, Chafik, Chakib, El Mehdi, Faouzi, Fayçal, Fethi, Ghali, Habib, Hafid, Haykel, Hatem, Hakim, Houssam, Idriss, Ilyas, Jaouad, Kacem, Lotfi, Mahfoud, Mahmoud, Malek, Mansour, Marouane, Miloud, Mokhtar, Moncef, Mouloud, Moussa, Nacer, Nizar, Oussama, Rafik, Ramzi, Ridha, Riad, Saïd, Seddik, Smail, Soufiane, Tahar, Wassim, Yahia, Younes, Zine, Ziad, Zouhair, Aymen, Ayman, Skander, Ibrahim, Nassim, Lyes, Mohand, Ameziane, Belkacem, Cherif, Hocine, Youcef, Toufik, Djamel, Djilali, Kaddour, Laid, Lakhdar, Messaoud, Boualem, Rabah, Rachad, Sid Ahmed, Abdelhafid, Abdennour, Azeddine, Chokri, Hedi, Mongi, Nejib, Sami, Slim, Zied, Bechir, Mondher, Maher, Mounir
  `),
  women: list(`
    14: Fatima, Khadija
    8: Aicha, Fatma, Amina, Meriem, Zineb, Nadia, Samira, Houda, Salma, Sara
    5: Imane, Hanane, Naima, Rachida, Latifa, Karima, Malika, Najat, Saida, Souad, Leila, Amel, Asma, Hajar, Ikram, Ibtissam, Kenza, Lamia, Loubna, Nawal, Siham, Soumaya, Yasmine, Nora
    3: Aziza, Bouchra, Chaimae, Dounia, Fadila, Farida, Fatiha, Ghizlane, Hafida, Halima, Hasna, Hayat, Hind, Ilham, Jamila, Khadidja, Lalla, Mina, Mounia, Nabila, Nadira, Nezha, Ouafa, Rabia, Rim, Rajae, Sabah, Safia, Sanaa, Selma, Sihem, Sonia, Soraya, Wafa, Zahra, Zohra, Zoubida
    2: Afaf, Ahlem, Amira, Basma, Chahrazed, Cyrine, Djamila, Dalila, Emna, Faïza, Feriel, Hayet, Henda, Ines, Jihane, Kaouthar, Kheira, Khaoula, Louiza, Lynda, Mabrouka, Manel, Maha, Meryem, Monia, Mouna, Nacera, Najoua, Nesrine, Olfa, Oumaima, Ouarda, Rania, Raja, Razika, Rym, Saliha, Samia, Sabrina, Tassadit, Thouraya, Tinhinane, Wided, Yamina, Zakia, Zhor, Raoudha, Ibtissem
  `),
  // second given names, written after the first
  doubleMen: list(
    `6: Amine, Ali, Reda, Yassine\n3: Lamine, Salah, Tahar, Larbi, Nadir, Seghir, Mehdi, Said, Hedi, Aziz, Karim, Walid, Anis, Islam, Khalil, Taha`,
  ),
  doubleWomen: list(`8: Zahra, Zohra, Ezzahra\n1: Nour`),
  family: list(`
    6: Alaoui, Idrissi, Bennani, Benali, Trabelsi, Mansouri, Saidi, Cherif, Haddad, Amrani, Ziani, Slimani, Brahimi, Belhadj, Khelifi
    4: Benjelloun, Tazi, Filali, Berrada, Chraibi, Lahlou, Fassi, Cherkaoui, Naciri, Bouazza, Bouziane, Bouzid, Bouaziz, Boukhari, Boudiaf, Hamdi, Hamidi, Hachemi, Mokhtari, Moussaoui, Rahmani, Kaddour, Kaci, Larbi, Meziane, Zitouni, Touati, Toumi, Taleb, Mahmoudi, Mebarki, Messaoudi, Guesmi, Gharbi, Jebali, Jaziri, Ayari, Dridi, Hammami, Ben Ali, Ben Salah, Ben Amor, Ben Youssef, Ouali, Yahiaoui, Abdelli, Belkacem, Bouchareb, Hadj, Amara, Amrouche
    2: Abbassi, Abdallah, Abid, Achour, Adli, Affane, Aissaoui, Ait Ali, Ait Lahcen, Ait Said, Akrouf, Allali, Allouche, Alami, Ammar, Ammari, Amiri, Aouad, Aouni, Arfaoui, Arab, Assal, Atia, Attia, Azzouzi, Azouz, Baccouche, Bachir, Badaoui, Bahri, Bakkali, Baraka, Bekkali, Bekkouche, Belaid, Belarbi, Belghiti, Belkadi, Belkhir, Belmokhtar, Ben Abdallah, Ben Ahmed, Ben Brahim, Ben Hassine, Ben Khalifa, Ben Mansour, Ben Mohamed, Ben Romdhane, Ben Said, Ben Slimane, Benabdallah, Benabdelkader, Benaissa, Benamar, Benchekroun, Bencheikh, Benhaddou, Benhamou, Benhima, Benkirane, Benmoussa, Bennis, Benomar, Bensaid, Bensalem, Bensouda, Benyahia, Benzakour, Berkani, Bessaih, Bouabdallah, Bouali, Bouanani, Bouchikhi, Boudali, Boudjemaa, Boughanmi, Bouhlel, Boukadoum, Boukhalfa, Boulahia, Boumaaza, Bourkia, Boussaid, Boutaleb, Bouzidi, Brik, Chaabane, Chaabani, Chaouch, Chaoui, Charef, Chebbi, Chekroun, Chemlal, Cherfaoui, Cherni, Chennoufi, Chihab, Daoud, Daoudi, Dahmani, Debbagh, Derradji, Djebbar, Djellouli, Douiri, Drissi, El Amrani, El Alaoui, El Fassi, El Idrissi, El Khattabi, El Mansouri, El Ouafi, El Yacoubi, El Haddad, El Hamdaoui, El Kadiri, El Mokhtar, El Bakkali, El Ghazi, El Moussaoui, El Azzouzi, Essid, Ezzine, Fares, Farhat, Fekih, Ferchichi, Fekkar, Fennich, Ferhat, Gaied, Ghali, Ghanmi, Ghannouchi, Ghezali, Guedira, Guerfi, Guessous, Habibi, Hadjadj, Hadji, Haddou, Hafsi, Hajji, Hakimi, Hamdaoui, Hamdani, Hamouda, Hamza, Hamzaoui, Harrak, Hassani, Hocini, Houari, Jabri, Jaidi, Jamai, Jlassi, Jouini, Kabbaj, Kadi, Kadiri, Karoui, Kasmi, Kebir, Kerkouche, Khaldi, Khalfallah, Khatib, Khattabi, Khemiri, Khiari, Kilani, Kribi, Laabidi, Laaroussi, Labidi, Laghmari, Lakhal, Lamrani, Lamari, Laouini, Laraki, Lazaar, Lounes, Maalej, Maaroufi, Madani, Mahfoudi, Mahjoub, Maazouz, Makhlouf, Makhloufi, Malki, Mansour, Marzouki, Mathlouthi, Mazari, Mechri, Mejri, Merabet, Mernissi, Meddeb, Mestiri, Mihoubi, Miloudi, Mimouni, Mnif, Mouhoubi, Mounir, Mrabet, Nacer, Nafti, Nahdi, Nasri, Nouri, Ouahabi, Oualid, Oubella, Ouchen, Oudghiri, Ould Ali, Oukaci, Ounissi, Ouyahia, Rachedi, Rahal, Rahmouni, Raissi, Ramdani, Ouazzani, Rebai, Regragui, Rezgui, Rhazi, Riahi, Romdhane, Saadi, Saadaoui, Sabri, Sadiki, Sahli, Salhi, Salmi, Sassi, Sbai, Sebti, Sefrioui, Senhaji, Sellami, Semlali, Serghini, Skalli, Smaili, Snoussi, Souissi, Soltani, Tahiri, Tahri, Talbi, Tayeb, Tebboune, Temmar, Tlili, Touil, Yacoubi, Yahia, Yousfi, Zahaf, Zaidi, Zaoui, Zarrouk, Zeghidi, Zemmouri, Zerhouni, Zerouali, Zidane, Zidi, Zine, Znaidi, Zouari, Zouaoui
  `),
};
function maghreb(random) {
  const man = random() < 0.54;
  const given = draw(random, man ? M.men : M.women),
    family = draw(random, M.family);
  const way = random();
  // a second given name (Mohamed Amine, Fatima Zahra)
  if (man && /^(Mohamed|Ahmed)$/.test(given) && way < 0.45) return `${given} ${draw(random, M.doubleMen)} ${family}`;
  if (!man && /^Fatima$/.test(given) && way < 0.45) return `${given} ${draw(random, M.doubleWomen)} ${family}`;
  // the father's name between (Tunisia, Algeria), or "ben" and the father's name
  if (way < 0.1) return `${given} ${draw(random, M.men)} ${family}`;
  if (way < 0.13) return `${given} Ben ${draw(random, M.men)}`;
  // family name first, as on forms
  if (way > 0.93) return `${family} ${given}`;
  return `${given} ${family}`;
}

// ------------------------------------------------------------------------------------------------ Pakistan
const P = {
  men: list(`
    9: Ali, Ahmed, Usman, Imran, Bilal, Hamza, Asif, Kashif, Shahid, Tariq, Khalid, Zahid, Nadeem, Waqas, Adnan, Irfan, Faisal, Rizwan, Kamran, Umar
    5: Aamir, Abbas, Abid, Adeel, Afzal, Akbar, Akhtar, Akram, Amjad, Anwar, Arif, Arshad, Ashraf, Aslam, Atif, Ayaz, Azhar, Babar, Danish, Ejaz, Farhan, Farooq, Fahad, Fawad, Hafeez, Haider, Hassan, Haroon, Hussain, Ibrahim, Ijaz, Iqbal, Ismail, Jamil, Javed, Junaid, Kaleem, Khurram, Luqman, Majid, Mansoor, Mohsin, Mubashir, Mudassar, Mushtaq, Nasir, Naveed, Noman, Owais, Qasim, Rashid, Sajid, Saeed, Saleem, Salman, Saqib, Shabbir, Shafiq, Shakeel, Shehzad, Sohail, Tahir, Talha, Tanveer, Umair, Waheed, Waseem, Yasir, Younas, Yousaf, Zafar, Zeeshan, Zubair
    2: Aftab, Ahsan, Aijaz, Allah Ditta, Altaf, Ameer, Anees, Aqeel, Arsalan, Asad, Asghar, Azeem, Aziz, Azmat, Badar, Basharat, Bashir, Dawood, Dilawar, Dildar, Ehsan, Fayyaz, Fazal, Feroz, Ghaffar, Ghazanfar, Gul, Habib, Hameed, Hanif, Haris, Hasnain, Idrees, Iftikhar, Ikram, Ilyas, Inam, Inayat, Ishaq, Ishfaq, Jahangir, Jamshed, Jawad, Karim, Khadim, Khizar, Khalil, Latif, Liaqat, Maqbool, Maqsood, Masood, Mazhar, Mehboob, Moin, Moazzam, Mumtaz, Munir, Murad, Murtaza, Mustafa, Muzammil, Naeem, Najam, Naseer, Nawaz, Nazir, Niaz, Nisar, Obaid, Parvez, Pervaiz, Qadir, Qaiser, Rafiq, Raheel, Rahim, Rauf, Raza, Riaz, Sabir, Safdar, Sajjad, Sarfraz, Sardar, Shafqat, Shahbaz, Shahzaib, Shaukat, Sher, Shoaib, Siddique, Sikandar, Sultan, Taimoor, Tajammul, Tauqeer, Tayyab, Tufail, Ubaid, Usama, Wajid, Waqar, Yaqoob, Yasin, Zaheer, Zain, Zaman, Zulfiqar
  `),
  women: list(`
    8: Fatima, Ayesha, Maryam, Sana, Saima, Nadia, Shazia, Rabia, Sadia, Amna
    5: Aasia, Aliya, Ambreen, Anam, Asma, Bushra, Farah, Farzana, Fauzia, Ghazala, Hina, Hira, Humaira, Iqra, Kiran, Khadija, Lubna, Mehwish, Misbah, Nabila, Naila, Nasreen, Nazia, Nida, Rubina, Rukhsana, Saba, Sadaf, Samina, Samreen, Shabana, Shaista, Shamim, Shumaila, Sidra, Sobia, Sumaira, Tahira, Tayyaba, Uzma, Yasmin, Zainab, Zubaida
    2: Abida, Afshan, Aneela, Aqsa, Areeba, Arooj, Azra, Benish, Erum, Faiza, Fakhra, Farhat, Fareeda, Fouzia, Gulnaz, Hafsa, Hajra, Hameeda, Haleema, Huma, Irum, Javeria, Jamila, Kalsoom, Kausar, Kanwal, Khalida, Kinza, Laiba, Madiha, Maheen, Maria, Mehnaz, Memoona, Munazza, Musarrat, Nargis, Nasim, Naheed, Nighat, Noreen, Nusrat, Parveen, Quratulain, Rafia, Raheela, Rashida, Razia, Rehana, Riffat, Robina, Ruqayya, Safia, Saira, Sakina, Salma, Sameera, Shaheen, Shahida, Shakila, Sajida, Shagufta, Shehnaz, Sumera, Surayya, Tabassum, Tasleem, Tehmina, Wajiha, Zahida, Zakia, Zara, Zeenat, Zohra
  `),
  // what stands before a man's own name
  before: list(
    `30: Muhammad\n4: Ghulam, Syed\n2: Mian, Rana, Malik, Raja, Mirza, Sardar, Hafiz, Chaudhry, Sheikh, Agha, Mohammad, Mohammed`,
  ),
  afterGhulam: list(
    `5: Mustafa, Rasool, Abbas, Murtaza, Hussain, Nabi, Qadir, Haider\n2: Sarwar, Mohiuddin, Farid, Shabbir, Ali, Hassan, Jilani, Yaseen, Rabbani, Akbar`,
  ),
  afterAbdul: list(
    `6: Rehman, Ghaffar, Majeed, Hameed, Sattar, Razzaq, Rasheed, Aziz, Qayyum, Jabbar, Wahab, Qadir, Khaliq, Rauf, Malik, Hakeem\n3: Basit, Hafeez, Haq, Karim, Latif, Manan, Moeed, Mateen, Salam, Samad, Shakoor, Wahid, Waheed, Rahim, Ghani, Ahad, Raheem`,
  ),
  ur: list(
    `3: Zia ur Rehman, Habib ur Rehman, Atta ur Rehman, Saif ur Rehman, Aziz ur Rehman, Hafeez ur Rehman, Fazal ur Rehman, Khalil ur Rehman, Mujeeb ur Rehman, Obaid ur Rehman, Shafiq ur Rehman, Anwar ul Haq, Ikram ul Haq, Ehsan ul Haq, Inam ul Haq, Israr ul Haq, Misbah ul Islam, Noor ul Amin, Qamar uz Zaman, Waheed uz Zaman, Zia ul Islam, Fakhar uz Zaman, Burhan ud Din, Riaz ud Din, Jalal ud Din, Siraj ud Din`,
  ),
  ullah: list(
    `3: Hameedullah, Habibullah, Asadullah, Inayatullah, Aminullah, Rahmatullah, Naseebullah, Saifullah, Samiullah, Sanaullah, Shafiullah, Zabihullah, Noorullah, Waliullah, Ikramullah, Kaleemullah, Atiqullah, Barkatullah, Fazlullah, Hidayatullah, Ihsanullah, Kifayatullah, Matiullah, Najeebullah, Rafiullah, Sibghatullah, Wasiullah`,
  ),
  // second names and family names
  family: list(`
    30: Khan, Ahmed, Ali, Hussain
    12: Malik, Shah, Iqbal, Butt, Akhtar, Mehmood, Ahmad, Qureshi, Bhatti, Chaudhry, Abbas, Javed
    6: Sheikh, Siddiqui, Ansari, Rajput, Mughal, Baig, Raza, Haider, Aslam, Ashraf, Anwar, Awan, Arain, Baloch, Abbasi, Hashmi, Hassan, Mirza, Rana, Rehman, Saleem, Shahzad, Tariq, Yousaf, Younas, Nawaz, Rafiq, Rasheed, Latif, Bashir, Nazir, Gul, Jan, Farooq, Khalid, Saeed, Riaz, Rauf, Zaman
    3: Afridi, Khattak, Yousafzai, Bangash, Durrani, Orakzai, Mohmand, Shinwari, Wazir, Mehsud, Marwat, Niazi, Tareen, Kakar, Achakzai, Mengal, Bugti, Marri, Rind, Jatoi, Bhutto, Soomro, Memon, Shaikh, Solangi, Channa, Chandio, Khoso, Junejo, Talpur, Mirani, Palijo, Laghari, Leghari, Khosa, Mazari, Gilani, Bukhari, Naqvi, Rizvi, Zaidi, Kazmi, Jafri, Tirmizi, Sherazi, Hamdani, Gardezi, Kirmani, Bokhari, Gondal, Cheema, Chattha, Warraich, Bajwa, Gill, Sandhu, Virk, Tarar, Ranjha, Gujjar, Dar, Mir, Lone, Wani, Khokhar, Janjua, Gakhar, Minhas, Satti, Kiani, Tanoli, Jadoon, Swati, Lodhi, Ghauri, Farooqi, Usmani, Alvi, Faruqi, Nizami, Chishti, Qadri, Naqshbandi, Sabri, Sialvi, Hanif, Aziz, Karim, Rahim, Majeed, Hameed, Ghani, Sultan, Sadiq, Siddique, Shafi, Shafiq, Sharif, Shabbir, Sarwar, Sattar, Yaqoob, Yasin, Zafar, Zahid, Mustafa, Murtaza, Munir, Mushtaq, Manzoor, Maqsood, Masood, Mumtaz, Nadeem, Naseer, Nasir, Nisar, Naz, Qasim, Qayyum, Rashid, Razzaq, Sajid, Sajjad, Salman, Shakeel, Shakoor, Shaukat, Sohail, Tahir, Tufail, Waheed, Wahid, Waris, Zubair, Afzal, Akbar, Akram, Alam, Altaf, Amin, Amjad, Arif, Arshad, Asghar, Asif, Aftab, Ayub, Azam, Azhar, Bakhsh, Bari, Ejaz, Elahi, Fayyaz, Fazal, Feroz, Ghaffar, Ghafoor, Habib, Hafeez, Hakim, Haq, Haroon, Hayat, Ibrahim, Idrees, Iftikhar, Ijaz, Ikram, Ilyas, Inayat, Irfan, Ishaq, Islam, Ismail, Jabbar, Jalal, Jamal, Jamil, Kabir, Kamal, Khalil, Khurshid, Liaqat, Mahmood, Majid, Mehboob
    1: Barki, Burki, Utmankhel, Turi, Dawar, Khetran, Lashari, Magsi, Domki, Jamali, Zehri, Bizenjo, Raisani, Lehri, Kurd, Mastoi, Brohi, Kalhoro, Abro, Unar, Panhwar, Shar, Mahar, Dahar, Kalwar, Bhayo, Detho, Dal, Sial, Wattoo, Kharal, Langrial, Noon, Tiwana, Joiya, Daultana, Khichi, Sukhera, Chohan, Bhatti Rajput, Kamboh, Dogar, Meo, Toor, Sahi, Hinjra, Goraya, Randhawa, Kahlon, Bhinder, Ghumman, Sipra, Nagra, Aulakh, Virk Jutt, Bhalli, Mangat, Deo, Pirzada, Makhdoom, Subhani, Suhrawardy, Barlas, Chughtai, Qizilbash, Effendi, Paracha, Piracha, Sethi, Puri, Vohra, Khawaja, Kashmiri, Banday, Rathore, Parhar, Mayo, Bhutta, Langah, Panwar, Watto, Gurmani, Dasti, Qaisrani, Buzdar, Lund, Gopang, Hanjra, Khagga, Hiraj, Sargana, Bosan, Dreshak
  `),
  womenSecond: list(
    `8: Bibi, Begum\n5: Akhtar, Parveen, Khatoon, Naz, Kausar, Batool\n3: Bano, Noreen, Yasmin, Jabeen, Kanwal, Zahra, Shaheen, Nasreen, Riaz, Sultana, Gul, Nawaz, Mai, Tabassum, Noor, Anjum, Fatima`,
  ),
};
function pakistan(random) {
  const way = random();
  if (random() < 0.56) {
    const given = draw(random, P.men),
      family = draw(random, P.family);
    if (way < 0.3) {
      const before = draw(random, P.before);
      if (before === 'Ghulam')
        return random() < 0.5
          ? `Ghulam ${draw(random, P.afterGhulam)}`
          : `Ghulam ${draw(random, P.afterGhulam)} ${family}`;
      if (before === 'Syed')
        return `Syed ${given} ${draw(random, [
          ['Shah', 6],
          ['Bukhari', 3],
          ['Naqvi', 3],
          ['Rizvi', 3],
          ['Zaidi', 3],
          ['Gilani', 2],
          ['Kazmi', 2],
          ['Jafri', 2],
          ['Hussain', 3],
          ['Ali', 3],
          ['Abbas', 2],
          ['Sherazi', 1],
          ['Tirmizi', 1],
        ])}`;
      return random() < 0.35 ? `${before} ${given}` : `${before} ${given} ${family}`;
    }
    if (way < 0.4)
      return random() < 0.4 ? `Abdul ${draw(random, P.afterAbdul)}` : `Abdul ${draw(random, P.afterAbdul)} ${family}`;
    if (way < 0.43) return draw(random, P.ur);
    if (way < 0.48) return `${draw(random, P.ullah)} ${family}`;
    if (way < 0.6)
      return `${given} ${draw(random, [
        ['Ahmed', 5],
        ['Ali', 5],
        ['Hussain', 4],
        ['Ahmad', 3],
        ['Iqbal', 2],
        ['Mehmood', 2],
        ['Abbas', 2],
        ['Raza', 2],
        ['Hassan', 1],
      ])} ${family}`;
    return `${given} ${family}`;
  }
  const given = draw(random, P.women);
  if (way < 0.3) return `${given} ${draw(random, P.womenSecond)}`;
  if (way < 0.4) return `${given} ${draw(random, P.womenSecond)} ${draw(random, P.family)}`;
  if (way < 0.45)
    return `Syeda ${given} ${draw(random, [
      ['Bukhari', 3],
      ['Naqvi', 3],
      ['Rizvi', 3],
      ['Zaidi', 3],
      ['Gilani', 2],
      ['Kazmi', 2],
      ['Batool', 3],
      ['Zahra', 2],
      ['Fatima', 3],
    ])}`;
  if (way < 0.55)
    return `${given} ${draw(random, P.men)} ${draw(random, [
      ['Khan', 5],
      ['Malik', 2],
      ['Butt', 1],
      ['Qureshi', 1],
      ['Chaudhry', 1],
      ['Baloch', 1],
      ['Memon', 1],
      ['Sheikh', 1],
    ])}`;
  return `${given} ${draw(random, P.family)}`;
}

// ------------------------------------------------------------------------------------------------
function write(file, about, make, seed) {
  const random = seeded(seed),
    names = new Set();
  while (names.size < 1500) {
    const n = make(random),
      words = n.split(' ');
    if (words.length < 2 || words.length > 3 || new Set(words).size < words.length) continue; // no word twice in a name
    names.add(n);
  }
  writeFileSync(
    new URL(file, import.meta.url),
    `{\n  "about": ${JSON.stringify(about)},\n  "names": [\n${[...names].map((n) => '    ' + JSON.stringify(n)).join(',\n')}\n  ]\n}\n`,
  );
}
const count = (...l) => new Set(l.flat().map(([n]) => n)).size;
console.log(
  `maghreb: ${count(M.men, M.women)} given, ${count(M.family)} family; pakistan: ${count(P.men, P.women)} given, ${count(P.family, P.womenSecond)} family or second`,
);
write(
  './names-maghreb.json',
  `1,500 names of ordinary people of Morocco, Algeria and Tunisia in French spelling, put together by make-names.mjs (fixed seed) from ${count(M.men, M.women)} given and ${count(M.family)} family names weighted roughly by how common they are; men and women; two and three words, each name once. Written from general knowledge, not filtered by any list.`,
  maghreb,
  71001,
);
write(
  './names-pakistan.json',
  `1,500 names of ordinary people of Pakistan in the usual English spelling, put together by make-names.mjs (fixed seed) from ${count(P.men, P.women)} given and ${count(P.family, P.womenSecond)} family or second names weighted roughly by how common they are; men and women; two and three words, each name once. Written from general knowledge, not filtered by any list.`,
  pakistan,
  92002,
);
